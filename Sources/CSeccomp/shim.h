#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
// Swift does not import variadic functions.
static inline int set_process_control(int option, unsigned long value) {
  return prctl(option, value, 0UL, 0UL, 0UL);
}
// <sys/resource.h> has it only with _GNU_SOURCE.
int prlimit(int process, int kind, const struct rlimit *limit, struct rlimit *old);
static inline int limit_process(int process, int kind, unsigned long limit) {
  struct rlimit both = {limit, limit};
  return prlimit(process, kind, &both, 0);
}
