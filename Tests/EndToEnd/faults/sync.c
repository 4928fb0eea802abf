/* To be preloaded: each sync takes as many milliseconds as the first of the two 32-bit integers in the file
   that SYNC_FAULT names, and fails with the second as its errno unless that is 0. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int32_t *fault;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("SYNC_FAULT");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *place = mmap(NULL, 2 * sizeof *fault, PROT_READ, MAP_SHARED, file, 0);
  if (place != MAP_FAILED) fault = place;
  close(file);
}

static int sync_file(long call, int descriptor) {
  if (fault) {
    struct timespec time = {fault[0] / 1000, fault[0] % 1000 * 1000000L};
    nanosleep(&time, NULL);
    if (fault[1]) {
      errno = fault[1];
      return -1;
    }
  }
  return (int)syscall(call, descriptor);
}

int fdatasync(int descriptor) { return sync_file(SYS_fdatasync, descriptor); }

int fsync(int descriptor) { return sync_file(SYS_fsync, descriptor); }
