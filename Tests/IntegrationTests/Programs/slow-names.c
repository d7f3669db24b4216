/* A directory server that takes ten seconds for each answer, or until the file is gone that SLOW_NAMES names.
 * Preloaded into a program, it comes before what the system says of users and groups. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

static void dawdle(void) {
  const char *file = getenv("SLOW_NAMES");
  for (int tenths = 0; file && tenths < 100 && access(file, F_OK) == 0; tenths++) usleep(100000);
}

int getpwuid_r(uid_t uid, struct passwd *entry, char *room, size_t size, struct passwd **found) {
  int (*system)(uid_t, struct passwd *, char *, size_t, struct passwd **) = dlsym(RTLD_NEXT, "getpwuid_r");
  dawdle();
  return system(uid, entry, room, size, found);
}

int getpwnam_r(const char *name, struct passwd *entry, char *room, size_t size, struct passwd **found) {
  int (*system)(const char *, struct passwd *, char *, size_t, struct passwd **) = dlsym(RTLD_NEXT, "getpwnam_r");
  dawdle();
  return system(name, entry, room, size, found);
}

int getgrnam_r(const char *name, struct group *entry, char *room, size_t size, struct group **found) {
  int (*system)(const char *, struct group *, char *, size_t, struct group **) = dlsym(RTLD_NEXT, "getgrnam_r");
  dawdle();
  return system(name, entry, room, size, found);
}

int getgrouplist(const char *name, gid_t primary, gid_t *groups, int *count) {
  int (*system)(const char *, gid_t, gid_t *, int *) = dlsym(RTLD_NEXT, "getgrouplist");
  dawdle();
  return system(name, primary, groups, count);
}
