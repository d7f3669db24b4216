#define _GNU_SOURCE
#include "CTestSupport.h"

#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Users

struct visit {
  unsigned uid, gid;
  const unsigned *groups;
  int group_count;
  void (*body)(void *);
  void *argument;
  int error;
};

static void *visit_main(void *context) {
  struct visit *visit = context;
  // The user last: whoever is not root may not change the rest.
  if (syscall(SYS_setgroups, visit->group_count, visit->groups) != 0 ||
      syscall(SYS_setresgid, visit->gid, visit->gid, visit->gid) != 0 ||
      syscall(SYS_setresuid, visit->uid, visit->uid, visit->uid) != 0)
    visit->error = errno;
  else
    visit->body(visit->argument);
  return NULL;
}

int ctest_run_as(
    unsigned uid, unsigned gid, const unsigned *groups, int group_count, void (*body)(void *), void *argument) {
  struct visit visit = {uid, gid, groups, group_count, body, argument, 0};
  pthread_t thread;
  int error = pthread_create(&thread, NULL, visit_main, &visit);
  if (error == 0)
    error = pthread_join(thread, NULL);
  // A change of user makes the whole process one that cannot be debugged.
  prctl(PR_SET_DUMPABLE, 1);
  if (error == 0)
    error = visit.error;
  errno = error;
  return error == 0 ? 0 : -1;
}

// MARK: Networks

static int set_up_loopback(int socket) {
  struct ifreq request = {.ifr_name = "lo"};
  if (ioctl(socket, SIOCGIFFLAGS, &request) != 0)
    return -1;
  request.ifr_flags |= IFF_UP;
  if (ioctl(socket, SIOCSIFFLAGS, &request) != 0)
    return -1;
  // A second name of the same device, for a second address.
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr("192.0.2.1")};
  strcpy(request.ifr_name, "lo:1");
  memcpy(&request.ifr_addr, &address, sizeof address);
  return ioctl(socket, SIOCSIFADDR, &request);
}

int ctest_enter_own_network(void) {
  if (unshare(CLONE_NEWNET) != 0)
    return -1;
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return -1;
  int result = set_up_loopback(descriptor);
  int reason = errno;
  close(descriptor);
  errno = reason;
  return result;
}

static void *try_network(void *result) {
  *(int *)result = unshare(CLONE_NEWNET) == 0 ? 0 : errno;
  return NULL;
}

int ctest_try_own_network(void) {
  int result = 0;
  pthread_t thread;
  int error = pthread_create(&thread, NULL, try_network, &result);
  if (error == 0)
    error = pthread_join(thread, NULL);
  errno = error != 0 ? error : result;
  return errno == 0 ? 0 : -1;
}

int ctest_tcp_listen(unsigned short port) {
  int descriptor = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return -1;
  int yes = 1, no = 0;
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_any};
  if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0 ||
      bind(descriptor, (const struct sockaddr *)&address, sizeof address) != 0 || listen(descriptor, 16) != 0) {
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
  }
  return descriptor;
}

unsigned long ctest_memory_in_use(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}
