/* Simulates a failing directory server: it gives no answer while a test holds the lock of the file named by SLOW_NAMES;
 * if the file contains "absent", no user exists, and if it contains "unreachable", each lookup fails.
 * Preloaded into a program, it replaces the system's functions for users and groups. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* Waits until the lock is released; the system does that too when its holder exits.
 * Returns the first letter of the file; 0: the file is empty. */
static char answer(void) {
  const char *file = getenv("SLOW_NAMES");
  int descriptor = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  char letter = 0;
  if (descriptor < 0) return 0;
  while (flock(descriptor, LOCK_SH) < 0 && errno == EINTR) {}
  if (read(descriptor, &letter, 1) < 1) letter = 0;
  close(descriptor);
  return letter;
}

int getpwuid_r(uid_t uid, struct passwd *entry, char *room, size_t size, struct passwd **found) {
  int (*system)(uid_t, struct passwd *, char *, size_t, struct passwd **) = dlsym(RTLD_NEXT, "getpwuid_r");
  char letter = answer();
  if (letter) {
    *found = NULL;
    return letter == 'u' ? EIO : 0;
  }
  return system(uid, entry, room, size, found);
}

int getpwnam_r(const char *name, struct passwd *entry, char *room, size_t size, struct passwd **found) {
  int (*system)(const char *, struct passwd *, char *, size_t, struct passwd **) = dlsym(RTLD_NEXT, "getpwnam_r");
  answer();
  return system(name, entry, room, size, found);
}

int getgrnam_r(const char *name, struct group *entry, char *room, size_t size, struct group **found) {
  int (*system)(const char *, struct group *, char *, size_t, struct group **) = dlsym(RTLD_NEXT, "getgrnam_r");
  answer();
  return system(name, entry, room, size, found);
}

int getgrouplist(const char *name, gid_t primary, gid_t *groups, int *count) {
  int (*system)(const char *, gid_t, gid_t *, int *) = dlsym(RTLD_NEXT, "getgrouplist");
  answer();
  return system(name, primary, groups, count);
}
