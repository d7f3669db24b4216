/* Simulates a disk that stalls until the file named by SLOW_DISK is gone, and at most two minutes. Preloaded into a
 * program, it replaces the system's functions that synchronise files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void stall(void) {
  const char *file = getenv("SLOW_DISK");
  for (int tenths = 0; file && tenths < 1200 && access(file, F_OK) == 0; tenths++) usleep(100000);
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
