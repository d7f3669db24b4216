#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <link.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_peer_credentials(int socket, int *pid, unsigned *uid, unsigned *gid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
    return -1;
  *pid = credentials.pid;
  *uid = credentials.uid;
  *gid = credentials.gid;
  return 0;
}

static int unix_address(const char *path, struct sockaddr_un *address) {
  size_t length = strlen(path);
  if (length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

int clinux_peer_groups(int socket, unsigned *groups, int capacity) {
  socklen_t length = (socklen_t)capacity * sizeof(gid_t);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length) < 0 && errno != ERANGE) return -1;
  return (int)(length / sizeof(gid_t));
}

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_peer_process(int socket) {
  int pidfd = -1;
  socklen_t length = sizeof pidfd;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) == 0 ? pidfd : -1;
}

int clinux_process_number(int pidfd) {
  char path[40], line[128];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return -1;
  int number = -1;
  while (fgets(line, sizeof line, file) != NULL && sscanf(line, "Pid: %d", &number) != 1)
    ;
  fclose(file);
  return number;
}

int clinux_process_lives(int pidfd) {
  // The pidfd is readable once the process has ended, even before its parent has waited for it.
  struct pollfd question = {.fd = pidfd, .events = POLLIN};
  int answer = poll(&question, 1, 0);
  return answer < 0 ? -1 : answer == 0;
}

int clinux_unix_path_limit(void) {
  struct sockaddr_un address;
  return (int)sizeof address.sun_path - 1;
}

int clinux_unix_bind(int socket, const char *path) {
  struct sockaddr_un address;
  if (unix_address(path, &address) != 0)
    return -1;
  return bind(socket, (const struct sockaddr *)&address, sizeof address);
}

int clinux_unix_connect(int socket, const char *path) {
  struct sockaddr_un address;
  if (unix_address(path, &address) != 0)
    return -1;
  return connect(socket, (const struct sockaddr *)&address, sizeof address);
}

/// Closes the descriptor and keeps the errno of the failed call.
static int give_up(int descriptor) {
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

/// To be freed with freeaddrinfo; NULL with EINVAL when the text is no numeric address.
static struct addrinfo *numeric_address(const char *address, uint16_t port) {
  char service[8];
  snprintf(service, sizeof service, "%u", (unsigned)port);
  struct addrinfo hints = {
      .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
  struct addrinfo *found = NULL;
  if (getaddrinfo(address, service, &hints, &found) == 0)
    return found;
  errno = EINVAL;
  return NULL;
}

static int begin_connecting(const char *address, uint16_t port, int type) {
  struct addrinfo *found = numeric_address(address, port);
  if (found == NULL)
    return -1;
  int descriptor = socket(found->ai_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor >= 0 && connect(descriptor, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS)
    descriptor = give_up(descriptor);
  freeaddrinfo(found);
  return descriptor;
}

int clinux_tcp_connect(const char *address, uint16_t port) { return begin_connecting(address, port, SOCK_STREAM); }

int clinux_udp_connect(const char *address, uint16_t port) { return begin_connecting(address, port, SOCK_DGRAM); }

int clinux_tcp_connect_as(const char *address, uint16_t port, unsigned owner) {
  // The file system user applies to this thread only and decides who owns a new socket. The call does not report
  // failure; only a second call shows whether the first one had an effect.
  int before = setfsuid(owner);
  int descriptor = -1;
  int reason = EPERM;
  if ((unsigned)setfsuid(owner) == owner) {
    descriptor = clinux_tcp_connect(address, port);
    reason = errno;
  }
  setfsuid((unsigned)before);
  errno = reason;
  return descriptor;
}

int clinux_tcp_listen(const char *address, uint16_t port, int backlog) {
  struct addrinfo *found = numeric_address(address, port);
  if (found == NULL)
    return -1;
  int yes = 1;
  int descriptor = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  // A chosen port is free after a restart although old connections to it have not expired. Where the kernel chooses, it
  // would choose reserved ports too.
  if (descriptor >= 0 &&
      ((port != 0 && setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) ||
       (found->ai_family == AF_INET6 && setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) != 0) ||
       bind(descriptor, found->ai_addr, found->ai_addrlen) != 0 || listen(descriptor, backlog) != 0))
    descriptor = give_up(descriptor);
  freeaddrinfo(found);
  return descriptor;
}

/// The address and port of one end of a connection, as the kernel's diagnosis has them.
static int diagnosed_end(const struct sockaddr_storage *end, uint32_t address[4], uint16_t *port) {
  memset(address, 0, 4 * sizeof *address);
  switch (end->ss_family) {
  case AF_INET:
    memcpy(address, &((const struct sockaddr_in *)end)->sin_addr, sizeof(struct in_addr));
    *port = ((const struct sockaddr_in *)end)->sin_port;
    return 0;
  case AF_INET6:
    memcpy(address, &((const struct sockaddr_in6 *)end)->sin6_addr, sizeof(struct in6_addr));
    *port = ((const struct sockaddr_in6 *)end)->sin6_port;
    return 0;
  default:
    errno = EAFNOSUPPORT;
    return -1;
  }
}

/// Asks for one socket; the kernel answers within the call.
static int diagnose(const struct inet_diag_req_v2 *question, struct inet_diag_msg *answer) {
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 question;
  } request = {
      .header = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
      .question = *question};
  union {
    struct nlmsghdr header;
    char bytes[2048];
  } reply;
  int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  if (netlink < 0)
    return -1;
  if (send(netlink, &request, sizeof request, 0) < 0)
    return give_up(netlink);
  ssize_t length = recv(netlink, &reply, sizeof reply, MSG_DONTWAIT);
  if (length < 0)
    return give_up(netlink);
  close(netlink);
  if (length < (ssize_t)NLMSG_LENGTH(sizeof *answer) || reply.header.nlmsg_type != SOCK_DIAG_BY_FAMILY) {
    errno = ENOENT;
    return -1;
  }
  memcpy(answer, NLMSG_DATA(&reply.header), sizeof *answer);
  return 0;
}

int clinux_tcp_peer_owner(int socket, unsigned *uid) {
  struct sockaddr_storage own, peer;
  socklen_t own_length = sizeof own, peer_length = sizeof peer;
  if (getsockname(socket, (struct sockaddr *)&own, &own_length) != 0 ||
      getpeername(socket, (struct sockaddr *)&peer, &peer_length) != 0)
    return -1;
  // From the peer's side: its own end is the source.
  struct inet_diag_req_v2 question = {
      .sdiag_family = (uint8_t)peer.ss_family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX};
  question.id.idiag_cookie[0] = question.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (diagnosed_end(&peer, question.id.idiag_src, &question.id.idiag_sport) != 0 ||
      diagnosed_end(&own, question.id.idiag_dst, &question.id.idiag_dport) != 0)
    return -1;
  struct inet_diag_msg answer;
  if (diagnose(&question, &answer) != 0)
    return -1;
  // The kernel may have found a listening socket in place of the connection. A socket that no process has open has no
  // inode, and the user 0.
  if (answer.id.idiag_sport != question.id.idiag_sport || answer.id.idiag_dport != question.id.idiag_dport ||
      answer.idiag_inode == 0) {
    errno = ENOENT;
    return -1;
  }
  *uid = answer.idiag_uid;
  return 0;
}

int clinux_tcp_reserve_loopback(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int yes = 1;
  if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(descriptor, (const struct sockaddr *)&address, sizeof address) != 0)
    return give_up(descriptor);
  return descriptor;
}

int clinux_local_port(int socket) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0)
    return -1;
  switch (address.ss_family) {
  case AF_INET:
    return ntohs(((const struct sockaddr_in *)&address)->sin_port);
  case AF_INET6:
    return ntohs(((const struct sockaddr_in6 *)&address)->sin6_port);
  default:
    errno = EAFNOSUPPORT;
    return -1;
  }
}

int clinux_socket_option(int socket, int option, int *value) {
  socklen_t length = sizeof *value;
  return getsockopt(socket, SOL_SOCKET, option, value, &length);
}

int clinux_set_cloexec_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFD);
  if (flags < 0 || (!(flags & FD_CLOEXEC) && fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) != 0))
    return -1;
  int status = fcntl(descriptor, F_GETFL);
  if (status < 0 || (!(status & O_NONBLOCK) && fcntl(descriptor, F_SETFL, status | O_NONBLOCK) != 0))
    return -1;
  return 0;
}

int clinux_set_blocking(int descriptor) {
  int status = fcntl(descriptor, F_GETFL);
  if (status < 0)
    return -1;
  return fcntl(descriptor, F_SETFL, status & ~O_NONBLOCK);
}

int clinux_clock_error(int64_t *microseconds) {
  struct timex state = {0};
  int result = adjtimex(&state);
  if (result < 0)
    return -1;
  if (result == TIME_ERROR || (state.status & STA_UNSYNC) != 0) {
    errno = ENODATA;
    return -1;
  }
  *microseconds = state.maxerror;
  return 0;
}

int clinux_shared_memory(int key, unsigned *mode, unsigned long *users) {
  int segment = shmget(key, 0, 0);
  struct shmid_ds facts;
  if (segment < 0 || shmctl(segment, IPC_STAT, &facts) != 0)
    return -1;
  *mode = facts.shm_perm.mode & 0777;
  *users = facts.shm_nattch;
  return 0;
}

struct thread_start {
  void (*body)(void *);
  void *argument;
};

static void *thread_main(void *context) {
  struct thread_start start = *(struct thread_start *)context;
  free(context);
  start.body(start.argument);
  return NULL;
}

int clinux_thread_start(unsigned long *thread, const char *name, void (*body)(void *), void *argument) {
  struct thread_start *start = malloc(sizeof *start);
  if (start == NULL)
    return ENOMEM;
  start->body = body;
  start->argument = argument;

  // The new thread inherits the mask, so it has the right one from its first instruction.
  sigset_t blocked, before;
  sigfillset(&blocked);
  const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigdelset(&blocked, faults[index]);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  int error = pthread_create(thread, NULL, thread_main, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0) {
    free(start);
    return error;
  }
  char cut[16];
  snprintf(cut, sizeof cut, "%s", name);
  pthread_setname_np(*thread, cut);
  return 0;
}

int clinux_ignores_signal(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN;
}

int clinux_block_signal(int number) {
  sigset_t signals;
  sigemptyset(&signals);
  if (sigaddset(&signals, number) != 0)
    return errno;
  return pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status;
  (void)type;
  (void)place;
  return remove(path);
}

int clinux_remove_tree(const char *path) {
  return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void clinux_child_exit(const void *source, int *killed, int *value) {
  const siginfo_t *information = source;
  *killed = information->si_code != CLD_EXITED;
  *value = information->si_status;
}

int clinux_is_hung_up(int descriptor) {
  struct pollfd question = {.fd = descriptor, .events = 0};
  if (poll(&question, 1, 0) < 0)
    return -1;
  return (question.revents & POLLHUP) != 0;
}

int clinux_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC);
}

int clinux_event_open(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int clinux_event_add(int descriptor) {
  return eventfd_write(descriptor, 1);
}

int clinux_event_take(int descriptor) {
  eventfd_t count;
  return eventfd_read(descriptor, &count);
}

int clinux_terminal_open(void) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0)
    return -1;
  if (grantpt(master) != 0 || unlockpt(master) != 0)
    return give_up(master);
  return master;
}

int clinux_terminal_path(int master, char *path, unsigned long length) {
  return ptsname_r(master, path, length);
}

static int unmap_code(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    // What was written to would be lost.
    if (segment->p_type != PT_LOAD || segment->p_flags != (PF_R | PF_X))
      continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
    uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  // The first object is the program; libraries are shared with others.
  return 1;
}

void clinux_give_back_memory(void) {
  malloc_trim(0);
  dl_iterate_phdr(unmap_code, NULL);
}

static int spawn_attributes(posix_spawnattr_t *attributes, int own_group) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0)
    error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0)
    error = posix_spawnattr_setpgroup(attributes, 0);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (own_group)
    flags |= POSIX_SPAWN_SETPGROUP;
  return error != 0 ? error : posix_spawnattr_setflags(attributes, flags);
}

int clinux_spawn(
    int *pid, const char *path, char *const arguments[], char *const environment[], const int sources[],
    int descriptor_count, int own_group) {
  // A source may have a number that is needed as a target, so each source is first copied to a higher number. The
  // copies are close-on-exec here; dup2 in the child clears that flag for the final number alone.
  int copies[16];
  if (descriptor_count < 0 || descriptor_count > (int)(sizeof copies / sizeof *copies))
    return EINVAL;
  int copied = 0;
  int error = 0;
  for (; copied < descriptor_count && error == 0; copied++) {
    copies[copied] = fcntl(sources[copied], F_DUPFD_CLOEXEC, descriptor_count);
    if (copies[copied] < 0) {
      error = errno;
      break;
    }
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int index = 0; index < copied && error == 0; index++)
    error = posix_spawn_file_actions_adddup2(&actions, copies[index], index);
  if (error == 0)
    error = posix_spawn_file_actions_addclosefrom_np(&actions, descriptor_count);
  if (error == 0)
    error = spawn_attributes(&attributes, own_group);
  if (error == 0) {
    pid_t started;
    error = posix_spawn(&started, path, &actions, &attributes, arguments, environment);
    *pid = started;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  for (int index = 0; index < copied; index++)
    close(copies[index]);
  return error;
}
