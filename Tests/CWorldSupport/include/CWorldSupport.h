#pragma once
/// A disk in memory, with an SQLite VFS of its name. A file has two sides: what programs see, and what the disk has kept for
/// a loss of power; a synchronisation copies the first to the second. Names are kept at once.
///
/// It belongs to one thread. Results are SQLite's codes, and 0 if all went well.

typedef struct cworld_disk cworld_disk;

/// A disk whose VFS is registered under the name; NULL if there is no memory. The seed decides what SQLite takes for chance.
cworld_disk *cworld_disk_new(const char *name, unsigned long long seed);
/// Nobody may use its databases any more.
void cworld_disk_free(cworld_disk *disk);

/// After so many further changes (writes, truncations, synchronisations and locks for writing), so many fail with this code
/// of SQLite: SQLITE_FULL, SQLITE_IOERR or SQLITE_BUSY. What does not apply to a change, such as BUSY to a write, is not
/// counted by it.
void cworld_disk_fail(cworld_disk *disk, int code, unsigned long after, unsigned long count);
/// Each synchronisation keeps nothing, and says that all went well.
void cworld_disk_lie(cworld_disk *disk, int lies);
/// The process that uses it is killed: what it has open cannot be used any more, and locks nothing.
void cworld_disk_end_process(cworld_disk *disk);
/// The power fails and comes back: of each sector of 512 bytes that was not synchronised, the seed decides whether it was
/// kept. Whatever was open cannot be used any more.
void cworld_disk_cut_power(cworld_disk *disk, unsigned long long seed);
/// How many changes there have been.
unsigned long cworld_disk_changes(const cworld_disk *disk);

/// The size of a file; -1 if there is none.
long cworld_file_size(cworld_disk *disk, const char *path);
/// Copies so many bytes of a file from its start.
void cworld_file_read(cworld_disk *disk, const char *path, void *bytes, long count);
/// Makes an empty file if there is none.
int cworld_file_create(cworld_disk *disk, const char *path);
/// Makes a file with these bytes, in place of one that is there.
int cworld_file_write(cworld_disk *disk, const char *path, const void *bytes, long count, int is_durable);
/// 0 if there is no such file.
int cworld_file_rename(cworld_disk *disk, const char *path, const char *new_path);
void cworld_file_remove(cworld_disk *disk, const char *path);
