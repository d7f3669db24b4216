// Calls each function of CLinux, with valid and invalid arguments, under the sanitizers.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, strerror(errno)); \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void unix_sockets(const char *folder) {
  char path[256], longest[256];
  snprintf(path, sizeof path, "%s/socket", folder);
  int limit = clinux_unix_path_limit();
  EXPECT(limit > 0 && (size_t)limit < sizeof longest - 1);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
  EXPECT(listener >= 0 && client >= 0);
  EXPECT(clinux_accept(listener) == -1);
  for (int length = limit + 1; length <= limit + 2; length++) {
    memset(longest, 'x', (size_t)length);
    longest[length] = 0;
    EXPECT(clinux_unix_bind(listener, longest) == -1 && errno == ENAMETOOLONG);
    EXPECT(clinux_unix_connect(client, longest) == -1 && errno == ENAMETOOLONG);
  }
  // The maximum length, which leaves no room for an additional zero.
  longest[limit] = 0;
  EXPECT(clinux_unix_connect(client, longest) == -1 && errno == ENOENT);
  EXPECT(clinux_unix_bind(listener, path) == 0 && listen(listener, 1) == 0);
  EXPECT(clinux_unix_connect(client, path) == 0);
  int server = clinux_accept(listener);
  EXPECT(server >= 0);
  int pid = 0;
  unsigned uid = 1, gid = 1;
  EXPECT(clinux_peer_credentials(server, &pid, &uid, &gid) == 0 && pid == getpid() && uid == getuid());
  EXPECT(clinux_peer_credentials(-1, &pid, &uid, &gid) == -1);
  int count = clinux_peer_groups(server, NULL, 0);
  EXPECT(count >= 0);
  unsigned *groups = malloc((size_t)(count + 1) * sizeof *groups);
  EXPECT(groups != NULL && clinux_peer_groups(server, groups, count) == count);
  for (int room = 0; room < count; room++) EXPECT(clinux_peer_groups(server, groups, room) == count);
  free(groups);
  EXPECT(clinux_peer_groups(-1, NULL, 0) == -1);
  // Older kernels have no pidfd of a peer.
  int process = clinux_peer_process(server);
  if (process >= 0) {
    EXPECT(clinux_process_number(process) == getpid() && clinux_process_lives(process) == 1);
    close(process);
  }
  EXPECT(clinux_process_number(-1) == -1);
  int size = 0;
  EXPECT(clinux_socket_option(server, SO_SNDBUF, &size) == 0 && size > 0);
  EXPECT(clinux_local_port(server) == -1);
  close(server);
  close(client);
  close(listener);
}

static void tcp_sockets(void) {
  static const char *const odd[] = {"", "localhost", "127.0.0.1 ", "::1%", "256.1.1.1", "x"};
  for (size_t index = 0; index < sizeof odd / sizeof *odd; index++) EXPECT(clinux_tcp_connect(odd[index], 1) == -1);
  int listener = clinux_tcp_listen("127.0.0.1", 0, 1);
  EXPECT(listener >= 0);
  int port = clinux_local_port(listener);
  EXPECT(port > 0 && port < 65536 && clinux_local_port(-1) == -1);
  int client = clinux_tcp_connect("127.0.0.1", (uint16_t)port);
  EXPECT(client >= 0);
  close(client);
  unsigned owner = 1;
  EXPECT(clinux_tcp_peer_owner(client, &owner) == -1 && clinux_tcp_peer_owner(-1, &owner) == -1);
  close(client);
  client = clinux_tcp_connect_as("127.0.0.1", (uint16_t)port, getuid());
  EXPECT(client >= 0);
  struct pollfd arrival = {.fd = listener, .events = POLLIN};
  EXPECT(poll(&arrival, 1, -1) == 1);
  // The first client has left: its socket belongs to nobody.
  int accepted = clinux_accept(listener);
  EXPECT(accepted >= 0 && clinux_tcp_peer_owner(accepted, &owner) == -1 && errno == ENOENT);
  close(accepted);
  EXPECT(poll(&arrival, 1, -1) == 1);
  accepted = clinux_accept(listener);
  EXPECT(accepted >= 0 && clinux_tcp_peer_owner(accepted, &owner) == 0 && owner == getuid());
  close(accepted);
  close(client);
  close(listener);
  for (size_t index = 0; index < sizeof odd / sizeof *odd; index++) EXPECT(clinux_tcp_listen(odd[index], 0, 1) == -1);
  int reserved = clinux_tcp_reserve_loopback();
  EXPECT(reserved >= 0 && clinux_local_port(reserved) > 0);
  close(reserved);
}

static void descriptors(const char *folder) {
  int ends[2];
  EXPECT(clinux_pipe(ends) == 0);
  EXPECT(clinux_set_cloexec_nonblocking(ends[0]) == 0 && clinux_set_blocking(ends[0]) == 0);
  EXPECT(clinux_set_cloexec_nonblocking(-1) == -1 && clinux_set_blocking(-1) == -1);
  EXPECT(clinux_is_hung_up(ends[0]) == 0);
  close(ends[1]);
  EXPECT(clinux_is_hung_up(ends[0]) == 1);
  close(ends[0]);
  int event = clinux_event_open();
  EXPECT(event >= 0 && clinux_event_take(event) == -1);
  EXPECT(clinux_event_add(event) == 0 && clinux_event_add(event) == 0 && clinux_event_take(event) == 0);
  close(event);
  int terminal = clinux_terminal_open();
  EXPECT(terminal >= 0);
  for (size_t room = 0; room < 32; room++) {
    char *path = malloc(room > 0 ? room : 1);
    EXPECT(path != NULL);
    int error = clinux_terminal_path(terminal, path, room);
    EXPECT(error == 0 ? strlen(path) < room : error == ERANGE);
    free(path);
  }
  close(terminal);
  char path[256];
  snprintf(path, sizeof path, "%s/tree", folder);
  EXPECT(mkdir(path, 0700) == 0);
  for (int depth = 0; depth < 20; depth++) {
    size_t length = strlen(path);
    snprintf(path + length, sizeof path - length, "/d");
    EXPECT(mkdir(path, 0700) == 0);
  }
  EXPECT(clinux_remove_tree(folder) == 0 && clinux_remove_tree(folder) == -1);
}

static void shared_memory(void) {
  unsigned mode = 0;
  unsigned long users = 1;
  int key = 0x706F7300 + getpid() % 256;
  EXPECT(clinux_shared_memory(key, &mode, &users) == -1);
  int segment = shmget(key, 64, IPC_CREAT | IPC_EXCL | 0640);
  EXPECT(segment >= 0);
  EXPECT(clinux_shared_memory(key, &mode, &users) == 0 && mode == 0640 && users == 0);
  EXPECT(shmctl(segment, IPC_RMID, NULL) == 0);
}

static void count_up(void *number) { atomic_fetch_add((atomic_int *)number, 1); }

static void threads_and_processes(void) {
  static atomic_int ran;
  unsigned long thread = 0;
  EXPECT(clinux_thread_start(&thread, "a name longer than the kernel takes", count_up, &ran) == 0);
  EXPECT(pthread_join((pthread_t)thread, NULL) == 0 && atomic_load(&ran) == 1);
  EXPECT(clinux_block_signal(SIGUSR1) == 0 && clinux_block_signal(-1) == EINVAL);
  EXPECT(clinux_ignores_signal(SIGUSR1) == 0 && clinux_ignores_signal(-1) == 0);
  char *const arguments[] = {"sh", "-c", "exit 7", NULL}, *const environment[] = {NULL};
  int null = open("/dev/null", O_RDWR | O_CLOEXEC), pid = 0, killed = 1, value = 0;
  EXPECT(null >= 0);
  // Sixteen is the maximum.
  int sources[17];
  for (size_t index = 0; index < 17; index++) sources[index] = null;
  EXPECT(clinux_spawn(&pid, "/bin/sh", arguments, environment, sources, 17, 0) == EINVAL);
  EXPECT(clinux_spawn(&pid, "/bin/sh", arguments, environment, sources, -1, 0) == EINVAL);
  EXPECT(clinux_spawn(&pid, "/no/such/program", arguments, environment, sources, 3, 0) == ENOENT);
  for (int own_group = 0; own_group < 2; own_group++) {
    EXPECT(clinux_spawn(&pid, "/bin/sh", arguments, environment, sources, own_group ? 16 : 3, own_group) == 0);
    siginfo_t end = {0};
    EXPECT(waitid(P_PID, (id_t)pid, &end, WEXITED) == 0);
    clinux_child_exit(&end, &killed, &value);
    EXPECT(killed == 0 && value == 7);
  }
  sources[1] = -1;
  EXPECT(clinux_spawn(&pid, "/bin/sh", arguments, environment, sources, 3, 0) == EBADF);
  close(null);
}

int main(void) {
  const char *parent = getenv("TMPDIR");
  char folder[200];
  snprintf(folder, sizeof folder, "%s/positiond-c-XXXXXX", parent != NULL ? parent : "/tmp");
  EXPECT(mkdtemp(folder) != NULL);
  unix_sockets(folder);
  tcp_sockets();
  descriptors(folder);
  shared_memory();
  threads_and_processes();
  return 0;
}
