import Glibc
import Logging

/// What the supervisor does: it fills places, kills what is late, and lets go.
extension Supervisor {
  func act(at now: SuspendingClock.Instant) {
    for child in children.values where child.deadline.map({ $0 <= now }) ?? false {
      log.error("killed: it took too long", metadata: ["process": "\(child.name)"])
      children[child.pid]?.deadline = nil
      kill(child.pid, SIGKILL)
      if !isStopping { candidateTookTooLong(child) }
    }
    guard !isStopping else { return }
    for index in posts.indices where mayStart(posts[index]) {
      guard let due = posts[index].startsAt, due <= now else { continue }
      fill(index, at: now)
    }
    lookForSocket(at: now)
    advanceReload(at: now)
  }

  /// Listens anew where somebody took the socket's file away, and has new workers follow.
  private func lookForSocket(at now: SuspendingClock.Instant) {
    guard socketWatch.isLost(at: now) else { return }
    log.error("the socket was taken away", metadata: ["listen": "\(plan.endpoint)"])
    do {
      let next = try plan.endpoint.listen(backlog: plan.backlog)
      close(socket)
      socket = next
      socketWatch = SocketWatch(plan.endpoint, at: now)
      reload.request()
    } catch {
      log.error("cannot listen again", metadata: ["reason": "\(error)"])
    }
  }

  /// There is one process of jobs at a time: the next waits for the end of the last.
  func mayStart(_ post: Post) -> Bool {
    !isStopping && !(post.role == .jobs && children.values.contains { $0.role == .jobs })
  }

  private func fill(_ index: Int, at now: SuspendingClock.Instant) {
    do {
      try start(posts[index].role, posts[index].number, generation: generation)
      posts[index].fill()
    } catch {
      log.error("cannot start a process", metadata: ["reason": "\(error)"])
      posts[index].startFailed(at: now)
    }
  }

  func start(_ role: ProcessRole, _ number: Int, generation: Int) throws {
    let channel = try Channel()
    defer { channel.closeFar() }
    do {
      let program = Program(path: plan.executable, arguments: plan.arguments(of: role))
      let now = SuspendingClock.now
      let pid = try program.start(
        role == .worker ? .descriptor(socket) : .nothing, lifeline: channel.far)
      children[pid] = Child(
        pid: pid, role: role, number: number, generation: generation, started: .current,
        since: now, lifeline: channel.near, deadline: now + plan.patience(with: role))
    } catch {
      channel.closeNear()
      throw error
    }
  }

  /// Asks a process to finish what it has begun and to end; one that is not ready has begun nothing,
  /// and may not be listening.
  func retire(_ child: Child) {
    guard child.state != .leaving else { return }
    children[child.pid]?.state = .leaving
    children[child.pid]?.deadline = .now + plan.drainWithin
    kill(child.pid, child.state == .starting ? SIGKILL : SIGTERM)
  }

  func stop() {
    log.info("stopping")
    isStopping = true
    plan.endpoint.remove()
    close(socket)
    for child in children.values { retire(child) }
  }

  func killAll() {
    for child in children.values { kill(child.pid, SIGKILL) }
  }

  /// Writes the status, if it has changed; a disk that is full must not end the portal.
  func publish() {
    let status = ProcessStatus(
      pid: getpid(), started: started, listen: "\(plan.endpoint)", generation: generation,
      isStopping: isStopping, isReloading: reload.isGoingOn, lastReload: reload.last,
      children: Array(children.values), posts: posts)
    guard status != published else { return }
    do {
      try status.write(to: directory.statusFile)
      published = status
    } catch {
      log.warning("cannot write the status", metadata: ["reason": "\(error)"])
    }
  }
}
