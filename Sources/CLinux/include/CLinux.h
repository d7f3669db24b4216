#pragma once
/// The parts of Linux that Swift's Glibc module leaves out, because they are behind _GNU_SOURCE, variadic, or macros.
///
/// No system header is included here: Swift takes a type seen with _GNU_SOURCE and the same type seen without it for
/// two types. So numbers are plain integers: a pid is an int, a uid and a gid are unsigned.
///
/// Every function returns -1 and sets errno when it fails, unless it says otherwise.
#include <stdint.h>

// MARK: Sockets

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC.
int clinux_accept(int listener);

/// The peer's kernel credentials (SO_PEERCRED).
int clinux_peer_credentials(int socket, int *pid, unsigned *uid, unsigned *gid);

/// All groups of the peer (SO_PEERGROUPS): returns their number and stores the first `capacity` of them.
int clinux_peer_groups(int socket, unsigned *groups, int capacity);

/// The kernel's handle of the peer's process (SO_PEERPIDFD, Linux 6.5), close-on-exec: a pidfd.
int clinux_peer_process(int socket);

/// The number of a pidfd's process as this process sees it; 0 or -1 if it has none.
int clinux_process_number(int pidfd);

/// 1 while a pidfd's process has not ended, 0 once it has.
int clinux_process_lives(int pidfd);

/// The longest path that a Unix socket's address can hold, in bytes, without the closing zero.
int clinux_unix_path_limit(void);

/// bind(2) and connect(2) with a Unix address; ENAMETOOLONG when the path does not fit.
int clinux_unix_bind(int socket, const char *path);
int clinux_unix_connect(int socket, const char *path);

/// A new TCP socket whose connection to a numeric address has begun (EINPROGRESS counts as begun).
/// EINVAL when the text is no numeric address.
int clinux_tcp_connect(const char *address, uint16_t port);

/// A socket for datagrams to and from that address and port alone; otherwise like `clinux_tcp_connect`.
int clinux_udp_connect(const char *address, uint16_t port);

/// Like `clinux_tcp_connect`, but the socket belongs to another user, since packet filters decide by the socket's owner.
/// Only root can do this.
int clinux_tcp_connect_as(const char *address, uint16_t port, unsigned owner);

/// A new TCP socket that listens at a numeric address; port 0: the kernel chooses one. EINVAL when the text is no numeric
/// address.
int clinux_tcp_listen(const char *address, uint16_t port, int backlog);

/// The user who owns the other end of a TCP connection within this machine, as the kernel says (NETLINK_SOCK_DIAG).
/// ENOENT when no process of this machine has that end open: a closed socket belongs to nobody, and the kernel would
/// say root.
int clinux_tcp_peer_owner(int socket, unsigned *uid);

/// A new TCP socket that reserves a port at the loopback address, chosen by the kernel, without listening. Only
/// programs that set SO_REUSEADDR can bind the port meanwhile.
int clinux_tcp_reserve_loopback(void);

/// The local port of a bound TCP socket.
int clinux_local_port(int socket);

/// One integer option at level SOL_SOCKET.
int clinux_socket_option(int socket, int option, int *value);

// MARK: Descriptors

/// Sets close-on-exec and non-blocking if they are not set.
int clinux_set_cloexec_nonblocking(int descriptor);

/// Clears O_NONBLOCK, for a descriptor that another program will use.
int clinux_set_blocking(int descriptor);

/// A pipe with both ends close-on-exec.
int clinux_pipe(int ends[2]);

/// Opens an eventfd, close-on-exec and non-blocking; adds one to it; resets it.
int clinux_event_open(void);
int clinux_event_add(int descriptor);
int clinux_event_take(int descriptor);

/// 1 if nobody has the terminal's other side open (POLLHUP), else 0.
int clinux_is_hung_up(int descriptor);

/// Opens a pseudoterminal's master, close-on-exec and non-blocking, and unlocks its other side.
int clinux_terminal_open(void);

/// The path of a pseudoterminal's other side. Returns 0, or the error's number.
int clinux_terminal_path(int master, char *path, unsigned long length);

/// Removes a folder with its contents. Links are removed, not followed.
int clinux_remove_tree(const char *path);

// MARK: Memory

/// Gives free memory of the heap back, and unmaps the program's own code, which the kernel maps again where it is run.
void clinux_give_back_memory(void);

// MARK: The clock

/// The most that the wall clock may be off, in microseconds, as the kernel says (adjtimex(2), which changes nothing here);
/// ENODATA if nothing synchronises it.
int clinux_clock_error(int64_t *microseconds);

// MARK: Shared memory

/// The permissions of a segment of shared memory (shmget(2)), and the number of processes that have attached it; EACCES
/// if this process may not access it, ENOENT if there is none.
int clinux_shared_memory(int key, unsigned *mode, unsigned long *users);

// MARK: Threads, signals and processes

/// Starts a thread of that name (cut to 15 bytes, the kernel's limit). The thread blocks every signal except faults of
/// its own, so that signals for the process are delivered to other threads. Returns 0, or the error's number.
int clinux_thread_start(unsigned long *thread, const char *name, void (*body)(void *), void *argument);

/// Blocks one signal for the calling thread. Returns 0, or the error's number.
int clinux_block_signal(int number);

/// 1 if the process ignores a signal, as after nohup(1), else 0.
int clinux_ignores_signal(int number);

/// How a process ended, from its siginfo_t: *killed is 1 when a signal ended it and *value is that signal, else *value
/// is its exit code.
void clinux_child_exit(const void *information, int *killed, int *value);

/// Starts a program with default signals, an empty signal mask and descriptor_count descriptors: sources[i] becomes
/// descriptor i of the child, and all others are closed, close-on-exec or not. If `own_group` is not 0, the child gets
/// a process group of its own. Returns 0, or the error's number.
int clinux_spawn(
    int *pid, const char *path, char *const arguments[], char *const environment[], const int sources[],
    int descriptor_count, int own_group);
