#pragma once
/// The parts of Linux that Swift's Glibc module leaves out: a header that defines _GNU_SOURCE before it includes
/// anything brings them in.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC. Swift cannot write glibc's transparent union `__SOCKADDR_ARG`.
/// Returns the new descriptor, or -1 with errno.
int clinux_accept(int listener);

/// The peer's kernel credentials (SO_PEERCRED). `struct ucred` is behind _GNU_SOURCE.
/// Returns 0, or -1 with errno.
int clinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);
