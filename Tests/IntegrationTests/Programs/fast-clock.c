/* Makes the time of a program pass faster, by the factor and from the moment (nanoseconds of CLOCK_BOOTTIME) in the file
 * named by FAST_CLOCK. Preloaded into programs, it replaces the system's functions that read a clock or wait for one;
 * programs with the same file have the same time. Processor time is not changed. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
/* Later than any moment that is waited for: sd-event's timer for changes of the clock. */
#define NEVER (1LL << 33)

static long long origin, factor = 1;
/* The clock of each timer's descriptor. */
static clockid_t clocks[1024];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAST_CLOCK");
  FILE *file = path ? fopen(path, "r") : NULL;
  if (!file || fscanf(file, "%lld %lld", &origin, &factor) != 2 || factor < 1) {
    fputs("FAST_CLOCK names no file with a moment and a factor\n", stderr);
    abort();
  }
  fclose(file);
}

static long long nanoseconds(struct timespec time) { return time.tv_sec * SECOND + time.tv_nsec; }

static struct timespec spec(long long time) {
  return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

static long long real(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return nanoseconds(time);
}

/* By how much every clock is ahead. */
static long long ahead(void) { return (real(CLOCK_BOOTTIME) - origin) * (factor - 1); }

/* Waits are never too short. */
static long long shortened(long long time) { return (time + factor - 1) / factor; }

/* NULL stays NULL: no limit. */
static struct timespec *shorten(const struct timespec *time, struct timespec *room) {
  if (!time) return NULL;
  *room = spec(shortened(nanoseconds(*time)));
  return room;
}

static struct timespec *shorten_milliseconds(int time, struct timespec *room) {
  if (time < 0) return NULL;
  *room = spec(shortened(time * 1000000LL));
  return room;
}

/* The real moment at which a clock shows a time. */
static struct timespec moment(clockid_t clock, struct timespec time) {
  long long now = real(clock);
  long long left = nanoseconds(time) - now - ahead();
  long long at = now + (left > 0 ? shortened(left) : 0);
  return spec(at > 0 ? at : 1);
}

/* Clocks */

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (syscall(SYS_clock_gettime, clock, time) != 0) return -1;
  if (clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0)
    *time = spec(nanoseconds(*time) + ahead());
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now = spec(real(CLOCK_REALTIME) + ahead());
  *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *place) {
  time_t now = (real(CLOCK_REALTIME) + ahead()) / SECOND;
  if (place) *place = now;
  return now;
}

/* Timers */

int timerfd_create(clockid_t clock, int flags) {
  int descriptor = (int)syscall(SYS_timerfd_create, clock, flags);
  if (descriptor >= (int)(sizeof clocks / sizeof *clocks)) abort();
  if (descriptor >= 0) clocks[descriptor] = clock;
  return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *time, struct itimerspec *before) {
  struct itimerspec next = *time;
  if (nanoseconds(next.it_value) != 0 && next.it_value.tv_sec < NEVER)
    next.it_value = flags & TFD_TIMER_ABSTIME ? moment(clocks[descriptor], next.it_value)
                                              : spec(shortened(nanoseconds(next.it_value)));
  next.it_interval = spec(shortened(nanoseconds(next.it_interval)));
  return (int)syscall(SYS_timerfd_settime, descriptor, flags, &next, before);
}

/* Waits */

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  struct timespec next =
      flags & TIMER_ABSTIME ? moment(clock, *time) : spec(shortened(nanoseconds(*time)));
  return syscall(SYS_clock_nanosleep, clock, flags, &next, rest) == 0 ? 0 : errno;
}

int nanosleep(
    const struct timespec *time, struct timespec *rest) {
  struct timespec room;
  int result = (int)syscall(SYS_nanosleep, shorten(time, &room), rest);
  if (result != 0 && rest) *rest = spec(nanoseconds(*rest) * factor);
  return result;
}

unsigned sleep(
    unsigned time) {
  struct timespec whole = {.tv_sec = time};
  return clock_nanosleep(CLOCK_REALTIME, 0, &whole, NULL) == 0 ? 0 : time;
}

int pselect(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
            const struct timespec *restrict time, const sigset_t *restrict mask) {
  struct timespec room;
  struct { const sigset_t *mask; size_t size; } signals = {mask, _NSIG / 8};
  return (int)syscall(SYS_pselect6, count, reads, writes, others, shorten(time, &room), &signals);
}

int select(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
           struct timeval *restrict time) {
  struct timespec whole;
  if (time) whole = (struct timespec){.tv_sec = time->tv_sec, .tv_nsec = time->tv_usec * 1000};
  return pselect(count, reads, writes, others, time ? &whole : NULL, NULL);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  struct timespec room;
  return (int)syscall(SYS_ppoll, files, count, shorten(time, &room), mask, _NSIG / 8);
}

int poll(struct pollfd *files, nfds_t count, int time) {
  struct timespec room;
  return (int)syscall(SYS_ppoll, files, count, shorten_milliseconds(time, &room), NULL, _NSIG / 8);
}

int epoll_wait(int descriptor, struct epoll_event *events, int count, int time) {
  struct timespec room;
  return (int)syscall(
      SYS_epoll_pwait2, descriptor, events, count, shorten_milliseconds(time, &room), NULL, _NSIG / 8);
}
