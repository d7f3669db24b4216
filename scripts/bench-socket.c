// The clients and the plain server of scripts/bench-socket.
//
//   bench-socket trips SOCKET REQUEST BLOCKS TRIPS REST   measures round trips to the daemon and to an echo, with so many
//                                                         microseconds between two of them
//   bench-socket watch SOCKET REQUEST CLIENTS MARK SECONDS   connects so many clients, which subscribe and read
//   bench-socket write CLIENTS BYTES HERTZ SECONDS   writes so many bytes to so many clients
//
// Each prints its result as one line of JSON.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 1 << 16 };

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double middle(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, order);
  return values[count / 2];
}

static int reach(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("socket's path");
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  return descriptor;
}

static void say(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) fail("send");
    bytes += sent;
    count -= (size_t)sent;
  }
}

// Reads a line; returns its length in bytes.
static size_t hear(int descriptor, char *bytes) {
  size_t count = 0;
  do {
    ssize_t got = recv(descriptor, bytes + count, most - count, 0);
    if (got <= 0) fail("receive");
    count += (size_t)got;
  } while (bytes[count - 1] != '\n');
  return count;
}

// The median time of a round trip, in microseconds.
static double ask(int descriptor, const char *request, int trips, long rest, double *waits) {
  static char answer[most];
  struct timespec pause = {.tv_nsec = rest * 1000};
  for (int i = 0; i < trips; i++) {
    if (rest > 0) nanosleep(&pause, NULL);
    double began = now();
    say(descriptor, request, strlen(request));
    hear(descriptor, answer);
    waits[i] = (now() - began) * 1e6;
  }
  return middle(waits, trips);
}

// Answers each line with the daemon's answer.
static int echo(const char *line, size_t count) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) fail("socketpair");
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    static char request[most];
    close(pair[0]);
    // It ends when its client closes the socket.
    for (;;) {
      if (recv(pair[1], request, 1, MSG_PEEK) <= 0) _exit(0);
      hear(pair[1], request);
      say(pair[1], line, count);
    }
  }
  close(pair[1]);
  return pair[0];
}

static int trips(char **words) {
  int daemon = reach(words[0]), blocks = atoi(words[2]), count = atoi(words[3]);
  long rest = atol(words[4]);
  char request[most], line[most];
  snprintf(request, sizeof request, "%s\n", words[1]);
  say(daemon, request, strlen(request));
  size_t bytes = hear(daemon, line);
  if (!strstr(line, "\"fromCache\":true")) {
    fprintf(stderr, "this answer is not from the cache: %.*s", (int)bytes, line);
    return 1;
  }
  int bare = echo(line, bytes);
  double *waits = calloc((size_t)count, sizeof *waits), *ours = calloc((size_t)blocks, sizeof *ours);
  double *theirs = calloc((size_t)blocks, sizeof *theirs), *ratios = calloc((size_t)blocks, sizeof *ratios);
  if (!waits || !ours || !theirs || !ratios) fail("memory");
  ask(daemon, request, count, rest, waits);
  ask(bare, request, count, rest, waits);
  // In turns, so that other load affects both.
  for (int i = 0; i < blocks; i++) {
    ours[i] = ask(daemon, request, count, rest, waits);
    theirs[i] = ask(bare, request, count, rest, waits);
    ratios[i] = ours[i] / theirs[i];
  }
  close(bare);
  struct rusage echoed;
  if (wait4(-1, NULL, 0, &echoed) < 0) fail("wait");
  double spent = (double)(echoed.ru_utime.tv_sec + echoed.ru_stime.tv_sec) * 1e6 +
                 (double)(echoed.ru_utime.tv_usec + echoed.ru_stime.tv_usec);
  int all = (blocks + 1) * count;
  printf("{\"trips\":%d,\"bytes\":%zu,\"daemon\":%.2f,\"bare\":%.2f,\"ratio\":%.3f,\"bareSpent\":%.2f}\n", all, bytes,
         middle(ours, blocks), middle(theirs, blocks), middle(ratios, blocks), spent / all);
  return 0;
}

// Reads from all until this time, or until all are closed; returns how often the mark was received.
static long collect(const int *clients, int count, const char *mark, double until, size_t *bytes) {
  static char buffers[1024][most];
  static size_t filled[1024];
  int poller = epoll_create1(0), open = count;
  long marks = 0;
  for (int i = 0; i < count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)i};
    epoll_ctl(poller, EPOLL_CTL_ADD, clients[i], &event);
  }
  while (open > 0 && now() < until) {
    struct epoll_event events[256];
    int ready = epoll_wait(poller, events, 256, 100);
    for (int e = 0; e < ready; e++) {
      unsigned i = events[e].data.u32;
      ssize_t got = recv(clients[i], buffers[i] + filled[i], most - 1 - filled[i], 0);
      if (got <= 0) {
        epoll_ctl(poller, EPOLL_CTL_DEL, clients[i], NULL);
        open--;
        continue;
      }
      filled[i] += (size_t)got;
      char *line = buffers[i], *end;
      buffers[i][filled[i]] = 0;
      while ((end = strchr(line, '\n'))) {
        *end = 0;
        if (strstr(line, mark)) {
          marks++;
          *bytes += (size_t)(end + 1 - line);
        }
        line = end + 1;
      }
      filled[i] = strlen(line);
      memmove(buffers[i], line, filled[i]);
    }
  }
  return marks;
}

static int watch(char **words) {
  int count = atoi(words[2]);
  if (count > 1024) return 1;
  int *clients = calloc((size_t)count, sizeof *clients);
  if (!clients) fail("memory");
  char request[most];
  snprintf(request, sizeof request, "%s\n", words[1]);
  for (int i = 0; i < count; i++) {
    clients[i] = reach(words[0]);
    say(clients[i], request, strlen(request));
  }
  size_t bytes = 0;
  // Updates until now do not count; the caller is notified of the start.
  collect(clients, count, words[3], now() + 2, &bytes);
  printf("{\"begun\":true}\n");
  fflush(stdout);
  bytes = 0;
  long marks = collect(clients, count, words[3], now() + atof(words[4]), &bytes);
  printf("{\"delivered\":%ld,\"bytes\":%.0f}\n", marks, marks ? (double)bytes / (double)marks : 0);
  fflush(stdout);
  // Stay connected until the caller has read the CPU time.
  getchar();
  return 0;
}

static int write_to_all(char **words) {
  int count = atoi(words[0]), length = atoi(words[1]);
  double hertz = atof(words[2]), seconds = atof(words[3]);
  if (count > 1024 || length < 2 || length > most) return 1;
  int *ours = calloc((size_t)count, sizeof *ours), *theirs = calloc((size_t)count, sizeof *theirs);
  if (!ours || !theirs) fail("memory");
  for (int i = 0; i < count; i++) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) fail("socketpair");
    ours[i] = pair[0];
    theirs[i] = pair[1];
    fcntl(ours[i], F_SETFL, O_NONBLOCK);
  }
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    for (int i = 0; i < count; i++) close(ours[i]);
    size_t bytes = 0;
    collect(theirs, count, "x", now() + seconds + 10, &bytes);
    _exit(0);
  }
  for (int i = 0; i < count; i++) close(theirs[i]);
  char *line = malloc((size_t)length);
  if (!line) fail("memory");
  memset(line, 'x', (size_t)length);
  line[length - 1] = '\n';
  long delivered = 0;
  double began = now(), next = began, spent = cpu();
  while (next < began + seconds) {
    next += 1 / hertz;
    struct timespec moment = {(time_t)next, (long)((next - (double)(time_t)next) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
    for (int i = 0; i < count; i++) delivered += send(ours[i], line, (size_t)length, MSG_NOSIGNAL) == length;
  }
  spent = cpu() - spent;
  for (int i = 0; i < count; i++) close(ours[i]);
  waitpid(child, NULL, 0);
  printf("{\"delivered\":%ld,\"bytes\":%d,\"spent\":%.6f}\n", delivered, length, spent);
  return 0;
}

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  if (count == 7 && strcmp(words[1], "trips") == 0) return trips(words + 2);
  if (count == 7 && strcmp(words[1], "watch") == 0) return watch(words + 2);
  if (count == 6 && strcmp(words[1], "write") == 0) return write_to_all(words + 2);
  fprintf(stderr, "usage: see the first lines of bench-socket.c\n");
  return 2;
}
