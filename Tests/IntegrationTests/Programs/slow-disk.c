/* Simulates a disk that completes no write while a test holds the lock of the file named by SLOW_DISK.
 * Preloaded into a program, it replaces the system's functions that wait for the disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* Waits until the lock is released; the system does that too when its holder exits. */
static void stall(void) {
  const char *file = getenv("SLOW_DISK");
  int descriptor = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor < 0) return;
  while (flock(descriptor, LOCK_SH) < 0 && errno == EINTR) {}
  close(descriptor);
}

int fsync(int descriptor) {
  int (*system)(int) = dlsym(RTLD_NEXT, "fsync");
  stall();
  return system(descriptor);
}

int fdatasync(int descriptor) {
  int (*system)(int) = dlsym(RTLD_NEXT, "fdatasync");
  stall();
  return system(descriptor);
}
