import CSeccomp
import Glibc

/// The bounds that the program sets for itself before it reads a byte; programs that it starts
/// inherit all of them.
enum Limits {
  /// The processor time of this program alone. Each program that it starts has two seconds of its
  /// own. On a busy machine the same work takes thrice the time.
  private static let processorSeconds: UInt = 10
  /// The clock's limit is for a program that hangs: a busy machine may leave this one a tenth of a
  /// processor. It ends before the 30 seconds that a request has by default.
  private static let clockSeconds: UInt32 = 25

  static func apply() throws(Failure) {
    takeDefaultSignals()
    try silence()
    setTimeHandlers()
    try set(RLIMIT_CPU, processorSeconds, hard: processorSeconds + 1)
    try set(RLIMIT_AS, 480 << 20)
    // A worker's own soft limit is for another program.
    try set(RLIMIT_DATA, 480 << 20)
    try set(RLIMIT_FSIZE, 0)
    try set(RLIMIT_CORE, 0)
    try set(RLIMIT_NOFILE, 24)
    try setProcessControl(PR_SET_PDEATHSIG, UInt(SIGKILL))
    try setProcessControl(PR_SET_NO_NEW_PRIVS, 1)
    try setProcessControl(PR_SET_DUMPABLE, 0)
    try boundFiles()
    try SystemCallFilter.withoutNetworkAndWriting.load()
  }

  /// Forbids all that a decoder of pictures in memory does not need: files and programs.
  static func boundPictures() throws(Failure) {
    try SystemCallFilter.withoutFilesAndPrograms.load()
  }

  private static func set(_ kind: __rlimit_resource, _ soft: UInt, hard: UInt? = nil)
    throws(Failure)
  {
    let kind = __rlimit_resource_t(kind.rawValue)
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { throw Failure() }
    // The caller may have set a tighter one.
    limit.rlim_max = min(limit.rlim_max, hard ?? soft)
    limit.rlim_cur = min(soft, limit.rlim_max)
    guard setrlimit(kind, &limit) == 0 else { throw Failure() }
  }

  private static func setProcessControl(_ option: Int32, _ value: UInt) throws(Failure) {
    guard set_process_control(option, value) == 0 else { throw Failure() }
  }

  /// Drops the decoders' warnings, which may quote the input.
  private static func silence() throws(Failure) {
    let nowhere = open("/dev/null", O_RDWR)
    guard nowhere >= 0, dup2(nowhere, STDERR_FILENO) >= 0 else { throw Failure() }
    close(nowhere)
  }

  /// Undoes handlers and masks that came from the caller and from Swift's runtime, whose crash
  /// report would show what is in memory.
  private static func takeDefaultSignals() {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS, SIGCHLD] {
      signal(number, SIG_DFL)
    }
    signal(SIGPIPE, SIG_IGN)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Answers `FAIL slow` after the processor's time, and `FAIL busy` after the clock's.
  private static func setTimeHandlers() {
    signal(SIGXCPU) { _ in Limits.fail("FAIL\0\0\0\u{4}slow") }
    signal(SIGALRM) { _ in Limits.fail("FAIL\0\0\0\u{4}busy") }
    alarm(clockSeconds)
  }

  /// Ends the program from a signal handler, with this frame as its answer.
  private static func fail(_ frame: StaticString) -> Never {
    ChildProgram.killRunning()
    write(STDOUT_FILENO, frame.utf8Start, frame.utf8CodeUnitCount)
    _exit(0)
  }

  /// Ends the clock's limit and lets the processor's end the program by a signal, because `FAIL`
  /// must not stand within other frames.
  static func stopAnsweringSignals() {
    alarm(0)
    signal(SIGXCPU, SIG_DFL)
  }
}

/// The files that the decoder and its child programs may open (Landlock). The portal's files are
/// not among them.
extension Limits {
  private static let directories = [
    "/usr", "/lib", "/lib64", "/etc/fonts", "/var/cache/fontconfig",
  ]
  private static let files = ["/etc/ld.so.cache", "/etc/localtime", "/dev/null"]

  /// Restricts file access to these. On a kernel without Landlock only the other limits apply.
  private static func boundFiles() throws(Failure) {
    let rules = make_reading_rules()
    guard rules >= 0 else { return }
    defer { close(rules) }
    let readFile = UInt(LANDLOCK_ACCESS_FS_READ_FILE)
    let readDirectory = UInt(LANDLOCK_ACCESS_FS_READ_DIR)
    let execute = UInt(LANDLOCK_ACCESS_FS_EXECUTE)
    for path in directories { try allow(path, readFile | readDirectory | execute, in: rules) }
    for path in files { try allow(path, readFile, in: rules) }
    guard apply_reading_rules(rules) == 0 else { throw Failure() }
  }

  private static func allow(_ path: String, _ access: UInt, in rules: Int32) throws(Failure) {
    let place = open(path, O_RDONLY | O_CLOEXEC)
    // A path that this machine lacks needs no rule.
    guard place >= 0 else { return }
    defer { close(place) }
    guard allow_reading(rules, place, access) == 0 else { throw Failure() }
  }
}

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
