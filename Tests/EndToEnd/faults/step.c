/* To be preloaded: kills the process before its STEP-th change of the file system, counted from one. A change is
   a call that creates, renames, removes or truncates a file, or that waits for the disk. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long left;

__attribute__((constructor)) static void begin(void) {
  const char *step = getenv("STEP");
  left = step ? atol(step) : 0;
}

static void count(void) {
  if (atomic_fetch_sub(&left, 1) == 1) kill(getpid(), SIGKILL);
}

static int open_file(int directory, const char *path, int flags, va_list rest) {
  int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
  if (flags & O_CREAT && access(path, F_OK) != 0) count();
  return (int)syscall(SYS_openat, directory, path, flags, mode);
}

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    int file = open_file(AT_FDCWD, path, flags, rest);    \
    va_end(rest);                                         \
    return file;                                          \
  }

OPEN(open)
OPEN(open64)

#define STEP(name, call, parameters, ...) \
  int name parameters {                   \
    count();                              \
    return (int)syscall(call, __VA_ARGS__); \
  }

STEP(rename, SYS_rename, (const char *old, const char *new), old, new)
STEP(unlink, SYS_unlink, (const char *path), path)
STEP(ftruncate, SYS_ftruncate, (int file, off_t size), file, size)
STEP(ftruncate64, SYS_ftruncate, (int file, off64_t size), file, size)
STEP(fsync, SYS_fsync, (int file), file)
STEP(fdatasync, SYS_fdatasync, (int file), file)
