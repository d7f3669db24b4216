/* A disk that takes nothing until the file is gone that SLOW_DISK names, and at most two minutes.
 * Preloaded into a program, it comes before what the system does to have bytes on the disk. */
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
