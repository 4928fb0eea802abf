import CSeccomp
import Glibc

/// System calls that fail with EPERM from the moment at which the filter is loaded.
struct SystemCallFilter {
  let refused: [String]
  /// Calls that open files and are refused for writing, with the place of their flags.
  var refusedForWriting: [(name: String, flags: UInt32)] = []

  static let withoutNetworkAndWriting = SystemCallFilter(
    refused: [
      // Network.
      "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg",
      "sendmmsg", "io_uring_setup", "io_uring_enter", "io_uring_register",
      // Other processes.
      "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd", "kcmp",
      "setpgid", "setsid", "unshare", "setns",
      // Files; openat2 has its flags in memory, which a filter does not see.
      "openat2", "creat", "truncate", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename",
      "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "mknod", "mknodat",
      "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
      "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr",
      "removexattr", "lremovexattr", "fremovexattr", "open_by_handle_at", "name_to_handle_at",
      // The machine.
      "mount", "umount2", "move_mount", "open_tree", "fsopen", "fsmount", "pivot_root", "chroot",
      "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "init_module",
      "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon",
      "swapoff", "syslog", "acct", "quotactl", "settimeofday", "clock_settime", "adjtimex",
    ],
    refusedForWriting: [("open", 1), ("openat", 2)])

  static let withoutFilesAndPrograms = SystemCallFilter(refused: [
    "open", "openat", "execve", "execveat", "fork", "vfork", "clone", "clone3", "kill", "tkill",
    "tgkill", "prctl", "setrlimit", "prlimit64",
  ])

  func load() throws(Failure) {
    guard let filter = seccomp_init(SCMP_ACT_ALLOW) else { throw Failure() }
    defer { seccomp_release(filter) }
    for name in refused { try refuse(name, [], in: filter) }
    for (name, flags) in refusedForWriting {
      for flag in [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC] {
        let bits = UInt64(UInt32(bitPattern: flag))
        let isSet = scmp_arg_cmp(arg: flags, op: SCMP_CMP_MASKED_EQ, datum_a: bits, datum_b: bits)
        try refuse(name, [isSet], in: filter)
      }
    }
    guard seccomp_load(filter) == 0 else { throw Failure() }
  }

  private func refuse(
    _ name: String, _ conditions: [scmp_arg_cmp], in filter: scmp_filter_ctx
  ) throws(Failure) {
    let number = seccomp_syscall_resolve_name(name)
    // Neither this library nor this kernel's table knows the call.
    if number == -1 { return }
    // Swift does not import the macro SCMP_ACT_ERRNO.
    let action = UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM)
    let result = seccomp_rule_add_array(
      filter, action, number, UInt32(conditions.count), conditions)
    guard result == 0 else { throw Failure() }
  }
}
