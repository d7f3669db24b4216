#pragma once
/// What tests alone need of Linux: to be somebody else for a moment, and to have a network of their own. Only root may.
///
/// As in CLinux no header of the system is included here, and every function returns -1 and sets errno when it fails.

/// Runs the body on a thread of its own that belongs to another user and has no other groups than these; the caller
/// waits for it, and nobody else in the process changes. The calls go to the kernel directly: libc's own would change
/// every thread. Without capabilities for whoever is not root.
int ctest_run_as(
    unsigned uid, unsigned gid, const unsigned *groups, int group_count, void (*body)(void *), void *argument);

/// Puts the calling thread, and what it starts from now on, into a network of its own. In it there is the loopback
/// alone, with 127.0.0.1, ::1 and an address of the host's own besides, 192.0.2.1.
int ctest_enter_own_network(void);

/// 0 if a thread of this process can enter a network of its own.
int ctest_try_own_network(void);

/// A new TCP socket that listens at every address, IPv6's and IPv4's, on this port.
int ctest_tcp_listen(unsigned short port);

/// Bytes that this process has from the allocator and has not given back.
unsigned long ctest_memory_in_use(void);

// MARK: libgps

struct gps_data_t;

/// What libgps makes of a line, as a build sees it whose headers have another layout than the loaded library: one in which
/// a member was inserted in one part, one with larger satellites, and one with room for fewer.
void ctest_unpack_moved_errors(char *line, struct gps_data_t *data);
void ctest_unpack_moved_dilutions(char *line, struct gps_data_t *data);
void ctest_unpack_moved_satellites(char *line, struct gps_data_t *data);
void ctest_unpack_moved_attitude(char *line, struct gps_data_t *data);
void ctest_unpack_moved_deviations(char *line, struct gps_data_t *data);
void ctest_unpack_moved_device(char *line, struct gps_data_t *data);
void ctest_unpack_with_larger_satellites(char *line, struct gps_data_t *data);
void ctest_unpack_of_fewer_satellites(char *line, struct gps_data_t *data);
/// What it makes of a line where both are the same.
void ctest_unpack(char *line, struct gps_data_t *data);
