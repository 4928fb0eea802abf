#include <seccomp.h>
#include <sys/prctl.h>
// Swift does not import variadic functions.
static inline int set_process_control(int option, unsigned long value) {
  return prctl(option, value, 0UL, 0UL, 0UL);
}
