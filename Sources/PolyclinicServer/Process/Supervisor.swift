import Glibc
import Logging
import PolyclinicCore

/// The first process of `polyclinic serve`: it owns the listening socket and keeps the workers and
/// the process of jobs alive. It answers no request and opens no database itself.
///
/// One thread decides everything; a second one only turns signals into bytes of a channel, so that
/// they can be waited for together with the children's lifelines.
final class Supervisor {
  let plan: Plan
  let log: Logger
  var posts: [Post] = []
  var children: [pid_t: Child] = [:]
  var generation = 1
  var reload = Reloading()
  let started: Instant
  var socket: Int32
  var socketWatch: SocketWatch
  let directory: RunDirectory
  private let pidFile: PidFile
  private let signals: Channel
  var isStopping = false
  var published: ProcessStatus?
  private var silence: Silence
  private var presence: Presence?
  private var counters: Counters?
  private var healthWatch: HealthWatch?
  /// The number of the probe that was noted last.
  private var notedProbe = 0
  /// The answers up to that probe.
  private var notedAnswers = AnswerCounts()

  /// Takes the installation's lock and binds the socket. Throws ``AlreadyRunning``, ``Misuse`` or
  /// ``SystemError``.
  ///
  /// Call it from the main thread, before any other thread exists.
  init(_ plan: Plan, log: Logger) throws {
    self.plan = plan
    self.log = log
    started = .current
    directory = RunDirectory(plan.runDirectory)
    try Self.make(plan.runDirectory)
    // Whoever reads the file of the process id may send one.
    Self.awaited.block()
    pidFile = try PidFile(directory.pidFile)
    try Self.make(FilePath.directory(of: plan.endpoint.path))
    socket = try plan.endpoint.listen(backlog: plan.backlog)
    socketWatch = SocketWatch(plan.endpoint, at: .now)
    signals = try Channel()
    silence = Silence(limit: plan.silentFor, from: .now)
    beginSharedFiles()
    presence = plan.availabilityFile.map { Presence(AvailabilityFile($0), log: log) }
  }

  /// Runs `beforeWorkers` (migrations), then everything else until SIGTERM or SIGINT, and returns
  /// when all processes have ended. Throws what `beforeWorkers` throws.
  func run(beforeWorkers: () throws -> Void) throws {
    defer { cleanUp() }
    try listenToSignals()
    try beforeWorkers()
    if presence != nil {
      healthWatch = try HealthWatch(HealthProbe(socket: plan.endpoint.path, host: plan.host))
    }
    let now = SuspendingClock.now
    posts = (1...plan.workers).map { Post(.worker, $0, startsAt: now) }
    posts.append(Post(.jobs, 1, startsAt: now))
    log.info("serving", metadata: ["listen": "\(plan.endpoint)", "workers": "\(plan.workers)"])
    while !(isStopping && children.isEmpty) {
      act(at: .now)
      publish()
      notePresence()
      waitForEvents()
      replaceSilent(at: .now)
      reap()
    }
    log.info("stopped")
  }

  /// Each process counts anew with this supervisor. Without a file each counts for itself, and knows
  /// nothing of what ended others.
  private func beginSharedFiles() {
    do throws(SystemError) {
      // During a reload there are twice as many.
      counters = try Counters.make(directory.countersFile, processes: 2 * plan.workers + 2)
    } catch {
      unlink(directory.countersFile)
      log.error("cannot count", metadata: ["reason": "\(error)"])
    }
    do throws(SystemError) { try FatalRequests.make(directory.fatalRequestsFile) } catch {
      unlink(directory.fatalRequestsFile)
      log.error("cannot note what ends workers", metadata: ["reason": "\(error)"])
    }
  }

  private static let awaited = SignalSet(SIGTERM, SIGINT, SIGHUP, SIGCHLD)

  private func listenToSignals() throws {
    signal(SIGPIPE, SIG_IGN)
    let end = signals.far
    _ = try SystemThread {
      while let signal = Self.awaited.wait() { Channel.send(UInt8(signal), to: end) }
    }
  }

  private func cleanUp() {
    if !isStopping { plan.endpoint.remove() }
    unlink(directory.statusFile)
    pidFile.release()
  }

  private static func make(_ path: String) throws {
    guard mkdir(path, 0o750) != 0 else { return }
    var file = stat()
    guard errno == EEXIST, stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFDIR else {
      throw SystemError("mkdir", on: path)
    }
  }
}

extension Supervisor {
  /// Waits for a signal, a word from a child, or the next moment at which something is due.
  private func waitForEvents() {
    let speaking = children.values.filter { !$0.hasHungUp }
    var waiting = ([signals.near] + speaking.map(\.lifeline)).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&waiting, nfds_t(waiting.count), timeout(from: .now)) > 0 else { return }
    if waiting[0].revents != 0, let signal = Channel.receive(from: signals.near) {
      received(Int32(signal))
    }
    for (child, event) in zip(speaking, waiting.dropFirst()) where event.revents != 0 {
      heard(from: child)
    }
  }

  /// In milliseconds, for `poll`: until something is due, or it is time to look who is silent.
  private func timeout(from now: SuspendingClock.Instant) -> Int32 {
    let due =
      children.values.compactMap(\.deadline) + posts.filter(mayStart).compactMap(\.startsAt)
      + [socketWatch.nextLook]
    let next = min(due.min() ?? now + plan.silentFor, now + plan.silentFor / 5)
    let parts = max(now.duration(to: next), .zero).components
    // Rounded up: a millisecond too early would be a turn for nothing.
    return Int32(parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000 + 1)
  }

  private func received(_ signal: Int32) {
    switch signal {
    case SIGHUP: reload.request()
    case SIGTERM, SIGINT: isStopping ? killAll() : stop()
    default: break
    }
  }

  private func heard(from child: Child) {
    guard let byte = Channel.receive(from: child.lifeline) else {
      children[child.pid]?.hasHungUp = true
      // It is about to end; if it is not, it will never say anything again.
      if child.role != .migration { kill(child.pid, SIGKILL) }
      return
    }
    guard Lifeline.Word(rawValue: byte) == .ready, child.state == .starting else {
      children[child.pid]?.heard = .now
      children[child.pid]?.isFailing = Lifeline.Word(rawValue: byte) == .failing
      return
    }
    children[child.pid]?.state = .ready
    children[child.pid]?.deadline = nil
    log.info("ready", metadata: ["process": "\(child.name)", "pid": "\(child.pid)"])
  }

  private func reap() {
    var status: Int32 = 0
    while true {
      let pid = waitpid(-1, &status, WNOHANG)
      guard pid > 0 else { return }
      guard let child = children.removeValue(forKey: pid) else { continue }
      close(child.lifeline)
      ended(child, Ending(waitStatus: status))
    }
  }

  private func ended(_ child: Child, _ ending: Ending) {
    let details: Logger.Metadata = [
      "process": "\(child.name)", "pid": "\(child.pid)", "ending": "\(ending)",
    ]
    if child.state == .leaving || isStopping {
      return log.info("ended", metadata: details)
    }
    if child.role == .migration || child.generation > generation {
      return candidateEnded(child, ending)
    }
    log.error("ended unasked", metadata: details)
    let now = SuspendingClock.now
    withPost(of: child) { post in
      guard child.state == .ready else { return post.startFailed(at: now) }
      post.readyProcessEnded(after: child.since.duration(to: now), at: now)
    }
  }

  private func replaceSilent(at now: SuspendingClock.Instant) {
    for child in silence.silent(among: children.values, at: now) {
      log.error("killed: it has fallen silent", metadata: ["process": "\(child.name)"])
      children[child.pid]?.heard = nil
      kill(child.pid, SIGKILL)
    }
  }

  /// Notes the outcome of each probe, and at once when the portal stops or nothing can be saved.
  private func notePresence() {
    let isFailing = children.values.contains {
      $0.role == .worker && $0.state == .ready && $0.isFailing
    }
    if isStopping || isFailing {
      presence?.note(.away, at: .current)
    }
    guard let seen = healthWatch?.latest, seen.number > notedProbe else { return }
    notedProbe = seen.number
    let answers = counters.map { AnswerCounts($0) } ?? notedAnswers
    let isWell = seen.isAnswered && !answers.isMostlyFailed(since: notedAnswers)
    notedAnswers = answers
    if isStopping || isFailing { return }
    presence?.note(isWell ? .there : .unanswered, at: seen.moment)
  }

  private func withPost(of child: Child, _ change: (inout Post) -> Void) {
    for index in posts.indices
    where posts[index].role == child.role && posts[index].number == child.number {
      change(&posts[index])
    }
  }
}

extension Instant {
  /// The clock of the machine.
  static var current: Instant { Instant(Int64(time(nil))) }
}
