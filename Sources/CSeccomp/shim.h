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
// The C library has no functions for Landlock.
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline int make_reading_rules(void) {
  struct landlock_ruleset_attr rules = {
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR};
  return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0U);
}
static inline int allow_reading(int rules, int place, unsigned long access) {
  struct landlock_path_beneath_attr beneath = {access, place};
  return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0U);
}
static inline int apply_reading_rules(int rules) {
  return (int)syscall(SYS_landlock_restrict_self, rules, 0U);
}
