/*
 * Preloaded into one process: some calls about files below $FAULTY_ROOT fail as a disk in trouble fails them. Which ones
 * follows from $FAULTY_SEED, so that a storm can be repeated; one in $FAULTY_EVERY fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long long state;
static unsigned every;
static const char *root;
static unsigned char ours[65536];

__attribute__((constructor)) static void begin(void) {
  root = getenv("FAULTY_ROOT");
  state = strtoull(getenv("FAULTY_SEED") ?: "1", 0, 10) * 2654435761ULL + 1;
  every = atoi(getenv("FAULTY_EVERY") ?: "0");
}

static int fails(void) {
  static const int codes[] = {EIO, ENOSPC, EMFILE};
  if (!every) return 0;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  if ((state >> 33) % every) return 0;
  errno = codes[(state >> 20) % 3];
  return 1;
}

static int below(const char *path) { return root && path && strncmp(path, root, strlen(root)) == 0; }
static int known(int fd) { return fd >= 0 && fd < 65536 && ours[fd]; }

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, name)

static int opened(int fd, const char *path) {
  if (fd >= 0 && fd < 65536) ours[fd] = below(path);
  return fd;
}

int open64(const char *path, int flags, ...) {
  REAL(int, "open64", const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  if (below(path) && fails()) return -1;
  return opened(real(path, flags, mode), path);
}

int open(const char *path, int flags, ...) {
  REAL(int, "open", const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  if (below(path) && fails()) return -1;
  return opened(real(path, flags, mode), path);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (known(fd) && fails()) return -1;
  return real(fd, bytes, length);
}

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  return below(from) && fails() ? -1 : real(from, to);
}

int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  return below(from) && fails() ? -1 : real(from, to);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  return below(path) && fails() ? -1 : real(path, mode);
}

int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return known(fd) && fails() ? -1 : real(fd);
}
