import Glibc
import Logging
import PolyclinicCore
import PolyclinicSystem

/// The first process of `polyclinic serve`. It owns the listening socket and keeps the workers and
/// the jobs process alive. It answers no request, and opens the database only to migrate.
///
/// One thread makes all decisions. A second thread only turns signals into bytes of a channel, so
/// that `poll` can wait for them together with the children's lifelines.
package final class Supervisor {
  package let options: SupervisorOptions
  package let log: Logger
  package var slots: [ProcessSlot] = []
  package var children: [pid_t: Child] = [:]
  package var generation = 1
  package var reload = Reloading()
  /// The release of this generation; nil before the first processes start.
  package var release: ServingRelease?
  /// The release of the next generation, during a reload.
  var nextRelease: ServingRelease?
  package let started: Instant
  package var socket: Int32
  var socketWatch: SocketWatch
  package let directory: RunDirectory
  private let pidFile: PidFile
  private let signals: Channel
  package var isStopping = false
  var published: ProcessStatus?
  private var heartbeatTimeout: HeartbeatTimeout
  private var uptimeRecorder: UptimeRecorder?
  private var counters: Counters?
  private var healthWatch: HealthWatch?
  /// The number of the latest recorded probe.
  private var notedProbe = 0
  /// The response counts at the time of that probe.
  private var notedAnswers = AnswerCounts()

  /// Takes the installation's lock and binds the socket. Throws ``AlreadyRunning``, ``Misuse`` or
  /// ``SystemError``.
  ///
  /// Call it from the main thread, before any other thread exists.
  package init(_ options: SupervisorOptions, log: Logger) throws {
    self.options = options
    self.log = log
    started = .current
    directory = RunDirectory(options.runDirectory)
    try Self.make(options.runDirectory)
    // Blocks the signals first, because another program may read the pid file and send one at once.
    Self.awaited.block()
    pidFile = try PidFile(directory.pidFile)
    try Self.make(FilePath.directory(of: options.endpoint.path))
    socket = try options.endpoint.listen(backlog: options.backlog)
    socketWatch = SocketWatch(options.endpoint, at: .now)
    signals = try Channel()
    heartbeatTimeout = HeartbeatTimeout(limit: options.heartbeatTimeout, from: .now)
    beginSharedFiles()
    uptimeRecorder = options.uptimeFile.map { UptimeRecorder(UptimeFile($0), log: log) }
  }

  /// Runs `beforeWorkers` (migrations), then the portal until SIGTERM or SIGINT. Returns after all
  /// processes have ended. Throws any error of `beforeWorkers`.
  package func run(beforeWorkers: () throws -> Void) throws {
    defer { cleanUp() }
    try listenToSignals()
    try beforeWorkers()
    try chooseFirstRelease()
    if uptimeRecorder != nil {
      healthWatch = try HealthWatch(HealthProbe(socket: options.endpoint.path, host: options.host))
    }
    let now = SuspendingClock.now
    slots = (1...options.workers).map { ProcessSlot(.worker, $0, startsAt: now) }
    slots.append(ProcessSlot(.jobs, 1, startsAt: now))
    log.info(
      "serving", metadata: ["listen": "\(options.endpoint)", "workers": "\(options.workers)"])
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

  /// Creates the counters, shared by all processes and reset with each supervisor. Without the file
  /// each process counts only for itself, and does not know which requests ended others.
  private func beginSharedFiles() {
    do throws(SystemError) {
      // Twice as many processes run during a reload.
      counters = try Counters.make(directory.countersFile, processes: 2 * options.workers + 2)
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
    if !isStopping { options.endpoint.remove() }
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
  /// Waits for a signal, a message from a child, or the next deadline.
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

  /// Returns milliseconds for `poll` until the next deadline or heartbeat check.
  private func timeout(from now: SuspendingClock.Instant) -> Int32 {
    let due =
      children.values.compactMap(\.deadline) + slots.filter(mayStart).compactMap(\.startsAt)
      + [socketWatch.nextLook]
    let next = min(due.min() ?? now + options.heartbeatTimeout, now + options.heartbeatTimeout / 5)
    let parts = max(now.duration(to: next), .zero).components
    // Rounded up, because a millisecond too early would wake the loop for nothing.
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
      // The process is about to end. One that stays could never report anything again.
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
      ended(child, ExitStatus(waitStatus: status))
    }
  }

  private func ended(_ child: Child, _ exitStatus: ExitStatus) {
    let details: Logger.Metadata = [
      "process": "\(child.name)", "pid": "\(child.pid)", "ending": "\(exitStatus)",
    ]
    if child.state == .leaving || isStopping {
      return log.info("ended", metadata: details)
    }
    if child.role == .migration || child.generation > generation {
      return candidateEnded(child, exitStatus)
    }
    log.error("ended unasked", metadata: details)
    let now = SuspendingClock.now
    withSlot(of: child) { slot in
      guard child.state == .ready else { return slot.startFailed(at: now) }
      slot.readyProcessEnded(after: child.since.duration(to: now), at: now)
    }
  }

  private func replaceSilent(at now: SuspendingClock.Instant) {
    for child in heartbeatTimeout.expired(among: children.values, at: now) {
      log.error("killed: it has fallen silent", metadata: ["process": "\(child.name)"])
      children[child.pid]?.heard = nil
      kill(child.pid, SIGKILL)
    }
  }

  /// Records the outcome of each probe. Records an outage at once if the portal stops or a
  /// worker's database accepts no writes.
  private func notePresence() {
    let isFailing = children.values.contains {
      $0.role == .worker && $0.state == .ready && $0.isFailing
    }
    if isStopping || isFailing {
      uptimeRecorder?.note(.unavailable, at: .current)
    }
    guard let seen = healthWatch?.latest, seen.number > notedProbe else { return }
    notedProbe = seen.number
    let answers = counters.map(options.answers) ?? notedAnswers
    let isWell = seen.isAnswered && !answers.isMostlyFailed(since: notedAnswers)
    notedAnswers = answers
    if isStopping || isFailing { return }
    uptimeRecorder?.note(isWell ? .available : .unanswered, at: seen.moment)
  }

  private func withSlot(of child: Child, _ change: (inout ProcessSlot) -> Void) {
    for index in slots.indices
    where slots[index].role == child.role && slots[index].number == child.number {
      change(&slots[index])
    }
  }
}
