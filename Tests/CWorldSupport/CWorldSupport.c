#define _GNU_SOURCE
#include "CWorldSupport.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

typedef struct {
  unsigned char *bytes;
  long size;
  long room;
} side;

typedef struct file {
  struct file *next;
  char *path;
  side seen;
  side kept;
  /// Open handles; a removed file lives until the last is closed.
  int handles;
  int is_removed;
} file;

typedef struct handle {
  sqlite3_file base;
  cworld_disk *disk;
  file *file;
  struct handle *next;
  unsigned long generation;
  int lock;
  int is_temporary;
} handle;

struct cworld_disk {
  sqlite3_vfs vfs;
  char *name;
  file *files;
  handle *handles;
  unsigned long long random;
  /// Rises with each loss of power.
  unsigned long generation;
  unsigned long changes;
  int fault;
  unsigned long fault_after;
  unsigned long fault_count;
  int lies;
};

static unsigned long long next_number(unsigned long long *state) {
  unsigned long long z = (*state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// MARK: Sides

static int resize(side *side, long size) {
  if (size > side->room) {
    long room = size + size / 2 + 4096;
    unsigned char *bytes = realloc(side->bytes, (size_t)room);
    if (!bytes) return SQLITE_NOMEM;
    side->bytes = bytes;
    side->room = room;
  }
  if (size > side->size) memset(side->bytes + side->size, 0, (size_t)(size - side->size));
  side->size = size;
  return SQLITE_OK;
}

static int copy(side *to, const side *from) {
  int result = resize(to, from->size);
  if (result == SQLITE_OK && from->size > 0) memcpy(to->bytes, from->bytes, (size_t)from->size);
  return result;
}

static int sector_differs(const side *one, const side *other, long start, long end) {
  for (long place = start; place < end; place++) {
    int first = place < one->size ? one->bytes[place] : 0;
    int second = place < other->size ? other->bytes[place] : 0;
    if (first != second) return 1;
  }
  return 0;
}

/// What the disk has after a loss of power becomes what programs see.
static void lose(file *file, unsigned long long *seed) {
  long longest = file->seen.size > file->kept.size ? file->seen.size : file->kept.size;
  long size = next_number(seed) & 1 ? file->seen.size : file->kept.size;
  side left = {0};
  if (resize(&left, longest) != SQLITE_OK) abort();
  for (long start = 0; start < longest; start += SECTOR) {
    long end = start + SECTOR < longest ? start + SECTOR : longest;
    const side *from = &file->kept;
    if (sector_differs(&file->seen, &file->kept, start, end) && next_number(seed) & 1) from = &file->seen;
    for (long place = start; place < end; place++) left.bytes[place] = place < from->size ? from->bytes[place] : 0;
  }
  if (resize(&left, size) != SQLITE_OK || copy(&file->seen, &left) != SQLITE_OK || copy(&file->kept, &left) != SQLITE_OK)
    abort();
  free(left.bytes);
}

// MARK: Files

static file *find(cworld_disk *disk, const char *path) {
  for (file *file = disk->files; file; file = file->next)
    if (!file->is_removed && strcmp(file->path, path) == 0) return file;
  return NULL;
}

static file *make(cworld_disk *disk, const char *path) {
  file *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->path = strdup(path);
  if (!made->path) {
    free(made);
    return NULL;
  }
  made->next = disk->files;
  disk->files = made;
  return made;
}

static void release_removed(cworld_disk *disk) {
  file **place = &disk->files;
  while (*place) {
    file *file = *place;
    if (!file->is_removed || file->handles > 0) {
      place = &file->next;
      continue;
    }
    *place = file->next;
    free(file->path);
    free(file->seen.bytes);
    free(file->kept.bytes);
    free(file);
  }
}

/// Whether this change fails.
static int fails(cworld_disk *disk, int is_lock) {
  disk->changes++;
  if (disk->fault_count == 0 || (disk->fault == SQLITE_BUSY) != is_lock) return SQLITE_OK;
  if (disk->fault_after > 0) {
    disk->fault_after--;
    return SQLITE_OK;
  }
  disk->fault_count--;
  return disk->fault;
}

long cworld_file_size(cworld_disk *disk, const char *path) {
  file *found = find(disk, path);
  return found ? found->seen.size : -1;
}

void cworld_file_read(cworld_disk *disk, const char *path, void *bytes, long count) {
  file *found = find(disk, path);
  if (found && count > 0) memcpy(bytes, found->seen.bytes, (size_t)(count < found->seen.size ? count : found->seen.size));
}

int cworld_file_create(cworld_disk *disk, const char *path) {
  if (find(disk, path)) return SQLITE_OK;
  int result = fails(disk, 0);
  if (result != SQLITE_OK) return result;
  return make(disk, path) ? SQLITE_OK : SQLITE_NOMEM;
}

int cworld_file_write(cworld_disk *disk, const char *path, const void *bytes, long count, int is_durable) {
  int result = fails(disk, 0);
  if (result != SQLITE_OK) return result;
  cworld_file_remove(disk, path);
  file *made = make(disk, path);
  if (!made) return SQLITE_NOMEM;
  result = resize(&made->seen, count);
  if (result != SQLITE_OK) return result;
  if (count > 0) memcpy(made->seen.bytes, bytes, (size_t)count);
  return is_durable && !disk->lies ? copy(&made->kept, &made->seen) : SQLITE_OK;
}

int cworld_file_rename(cworld_disk *disk, const char *path, const char *new_path) {
  file *found = find(disk, path);
  char *name = strdup(new_path);
  if (!found || !name) {
    free(name);
    return 0;
  }
  if (strcmp(path, new_path) != 0) cworld_file_remove(disk, new_path);
  free(found->path);
  found->path = name;
  return 1;
}

void cworld_file_remove(cworld_disk *disk, const char *path) {
  file *found = find(disk, path);
  if (found) found->is_removed = 1;
  release_removed(disk);
}

// MARK: SQLite's files

static int is_stale(const handle *handle) { return handle->generation != handle->disk->generation; }

static int file_close(sqlite3_file *base) {
  handle *closing = (handle *)base;
  for (handle **place = &closing->disk->handles; *place; place = &(*place)->next) {
    if (*place != closing) continue;
    *place = closing->next;
    break;
  }
  closing->file->handles--;
  if (closing->is_temporary) closing->file->is_removed = 1;
  release_removed(closing->disk);
  return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  handle *from = (handle *)base;
  if (is_stale(from)) return SQLITE_IOERR_READ;
  const side *side = &from->file->seen;
  long there = offset < side->size ? side->size - (long)offset : 0;
  if (there > count) there = count;
  if (there > 0) memcpy(bytes, side->bytes + offset, (size_t)there);
  if (there == count) return SQLITE_OK;
  memset((char *)bytes + there, 0, (size_t)(count - there));
  return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  handle *to = (handle *)base;
  if (is_stale(to)) return SQLITE_IOERR_WRITE;
  int result = fails(to->disk, 0);
  if (result != SQLITE_OK) return result;
  side *side = &to->file->seen;
  if (offset + count > side->size) result = resize(side, (long)offset + count);
  if (result == SQLITE_OK) memcpy(side->bytes + offset, bytes, (size_t)count);
  return result;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  handle *cut = (handle *)base;
  if (is_stale(cut)) return SQLITE_IOERR_TRUNCATE;
  int result = fails(cut->disk, 0);
  return result == SQLITE_OK ? resize(&cut->file->seen, (long)size) : result;
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  handle *kept = (handle *)base;
  if (is_stale(kept)) return SQLITE_IOERR_FSYNC;
  int result = fails(kept->disk, 0);
  if (result != SQLITE_OK) return result == SQLITE_FULL ? SQLITE_IOERR_FSYNC : result;
  return kept->disk->lies ? SQLITE_OK : copy(&kept->file->kept, &kept->file->seen);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  handle *of = (handle *)base;
  if (is_stale(of)) return SQLITE_IOERR_FSTAT;
  *size = of->file->seen.size;
  return SQLITE_OK;
}

/// The highest lock of the others that have the file open.
static int highest_lock(const handle *but) {
  int highest = SQLITE_LOCK_NONE;
  for (const handle *other = but->disk->handles; other; other = other->next)
    if (other != but && other->file == but->file && !is_stale(other) && other->lock > highest) highest = other->lock;
  return highest;
}

static int file_lock(sqlite3_file *base, int level) {
  handle *locking = (handle *)base;
  if (is_stale(locking)) return SQLITE_IOERR_LOCK;
  if (locking->lock >= level) return SQLITE_OK;
  int result = level > SQLITE_LOCK_SHARED ? fails(locking->disk, 1) : SQLITE_OK;
  if (result != SQLITE_OK) return result;
  int others = highest_lock(locking);
  if (others >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
  if (level >= SQLITE_LOCK_RESERVED && others >= SQLITE_LOCK_RESERVED) return SQLITE_BUSY;
  if (level == SQLITE_LOCK_EXCLUSIVE && others >= SQLITE_LOCK_SHARED) {
    locking->lock = SQLITE_LOCK_PENDING;
    return SQLITE_BUSY;
  }
  locking->lock = level;
  return SQLITE_OK;
}

static int file_unlock(sqlite3_file *base, int level) {
  handle *locking = (handle *)base;
  if (locking->lock > level) locking->lock = level;
  return SQLITE_OK;
}

static int file_check_lock(sqlite3_file *base, int *is_reserved) {
  *is_reserved = highest_lock((handle *)base) >= SQLITE_LOCK_RESERVED;
  return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  (void)base, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int file_sector_size(sqlite3_file *base) {
  (void)base;
  return SECTOR;
}

static int file_characteristics(sqlite3_file *base) {
  (void)base;
  return 0;
}

// No shared memory: a database in WAL mode needs it only if several processes have it open.
static const sqlite3_io_methods methods = {
  1, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_check_lock,
  file_control, file_sector_size, file_characteristics, NULL, NULL, NULL, NULL, NULL, NULL,
};

// MARK: The VFS

static cworld_disk *disk_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out_flags) {
  cworld_disk *disk = disk_of(vfs);
  handle *opened = (handle *)base;
  memset(opened, 0, sizeof *opened);
  char temporary[32];
  if (!path) {
    sqlite3_snprintf((int)sizeof temporary, temporary, "temporary-%llx", next_number(&disk->random));
    path = temporary;
  }
  file *found = find(disk, path);
  if (!found && !(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
  if (!found) found = make(disk, path);
  if (!found) return SQLITE_NOMEM;
  opened->disk = disk;
  opened->file = found;
  opened->generation = disk->generation;
  opened->is_temporary = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0;
  opened->next = disk->handles;
  disk->handles = opened;
  found->handles++;
  opened->base.pMethods = &methods;
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int is_durable) {
  (void)is_durable;
  if (!find(disk_of(vfs), path)) return SQLITE_IOERR_DELETE_NOENT;
  cworld_file_remove(disk_of(vfs), path);
  return SQLITE_OK;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)flags;
  *result = find(disk_of(vfs), path) != NULL;
  return SQLITE_OK;
}

static int disk_full_path(sqlite3_vfs *vfs, const char *path, int room, char *full) {
  (void)vfs;
  sqlite3_snprintf(room, full, "%s", path);
  return SQLITE_OK;
}

static int disk_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  for (int place = 0; place < count; place++) bytes[place] = (char)next_number(&disk_of(vfs)->random);
  return count;
}

static int disk_wait(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int disk_time(sqlite3_vfs *vfs, double *days) {
  (void)vfs;
  *days = 2461000.5;
  return SQLITE_OK;
}

static int disk_last_error(sqlite3_vfs *vfs, int room, char *text) {
  (void)vfs, (void)room, (void)text;
  return 0;
}

cworld_disk *cworld_disk_new(const char *name, unsigned long long seed) {
  cworld_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->name = strdup(name);
  if (!disk->name) {
    free(disk);
    return NULL;
  }
  disk->random = seed;
  disk->vfs = (sqlite3_vfs){
    .iVersion = 1,
    .szOsFile = sizeof(handle),
    .mxPathname = 512,
    .zName = disk->name,
    .pAppData = disk,
    .xOpen = disk_open,
    .xDelete = disk_delete,
    .xAccess = disk_access,
    .xFullPathname = disk_full_path,
    .xRandomness = disk_randomness,
    .xSleep = disk_wait,
    .xCurrentTime = disk_time,
    .xGetLastError = disk_last_error,
  };
  if (sqlite3_vfs_register(&disk->vfs, 0) != SQLITE_OK) {
    free(disk->name);
    free(disk);
    return NULL;
  }
  return disk;
}

void cworld_disk_free(cworld_disk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  for (file *file = disk->files; file; file = file->next) {
    file->is_removed = 1;
    file->handles = 0;
  }
  release_removed(disk);
  free(disk->name);
  free(disk);
}

void cworld_disk_fail(cworld_disk *disk, int code, unsigned long after, unsigned long count) {
  disk->fault = code;
  disk->fault_after = after;
  disk->fault_count = count;
}

void cworld_disk_lie(cworld_disk *disk, int lies) { disk->lies = lies; }

void cworld_disk_end_process(cworld_disk *disk) { disk->generation++; }

void cworld_disk_cut_power(cworld_disk *disk, unsigned long long seed) {
  cworld_disk_end_process(disk);
  for (file *file = disk->files; file; file = file->next) lose(file, &seed);
}

unsigned long cworld_disk_changes(const cworld_disk *disk) { return disk->changes; }
