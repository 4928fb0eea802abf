import Glibc
import Logging
import PolyclinicSystem

/// The supervisor's actions: it starts processes, kills those that miss a deadline, and publishes
/// the status.
extension Supervisor {
  func act(at now: SuspendingClock.Instant) {
    for child in children.values where child.deadline.map({ $0 <= now }) ?? false {
      log.error("killed: it took too long", metadata: ["process": "\(child.name)"])
      children[child.pid]?.deadline = nil
      kill(child.pid, SIGKILL)
      if !isStopping { candidateTookTooLong(child) }
    }
    guard !isStopping else { return }
    for index in slots.indices where mayStart(slots[index]) {
      guard let due = slots[index].startsAt, due <= now else { continue }
      fill(index, at: now)
    }
    lookForSocket(at: now)
    advanceReload(at: now)
  }

  /// Listens again if the socket file was removed or replaced, and requests a reload, so that new
  /// workers use the new socket.
  private func lookForSocket(at now: SuspendingClock.Instant) {
    guard socketWatch.isLost(at: now) else { return }
    log.error("the socket was taken away", metadata: ["listen": "\(options.endpoint)"])
    do {
      let next = try options.endpoint.listen(backlog: options.backlog)
      close(socket)
      socket = next
      socketWatch = SocketWatch(options.endpoint, at: now)
      reload.request()
    } catch {
      log.error("cannot listen again", metadata: ["reason": "\(error)"])
    }
  }

  /// Returns true if the slot may start a process. Only one jobs process runs at a time: the next
  /// one waits until the last has ended.
  func mayStart(_ slot: ProcessSlot) -> Bool {
    !isStopping && !(slot.role == .jobs && children.values.contains { $0.role == .jobs })
  }

  private func fill(_ index: Int, at now: SuspendingClock.Instant) {
    do {
      try start(slots[index].role, slots[index].number, generation: generation)
      slots[index].started()
    } catch {
      log.error("cannot start a process", metadata: ["reason": "\(error)"])
      slots[index].startFailed(at: now)
    }
  }

  package func start(_ role: ProcessRole, _ number: Int, generation: Int) throws {
    let channel = try Channel()
    defer { channel.closeFar() }
    do {
      let release = generation > self.generation ? nextRelease : release
      let program = Program(
        path: release?.program ?? options.executable, arguments: options.arguments(of: role))
      let now = SuspendingClock.now
      let pid = try program.start(
        role == .worker ? .descriptor(socket) : .nothing, lifeline: channel.far)
      children[pid] = Child(
        pid: pid, role: role, number: number, generation: generation, started: .current,
        since: now, lifeline: channel.near, deadline: now + options.startTimeout(of: role))
    } catch {
      channel.closeNear()
      throw error
    }
  }

  /// Asks a process to finish its work and end. Kills one that is not ready, because it has begun
  /// no work and may not handle the signal yet.
  func retire(_ child: Child) {
    guard child.state != .leaving else { return }
    children[child.pid]?.state = .leaving
    children[child.pid]?.deadline = .now + options.drainWithin
    kill(child.pid, child.state == .starting ? SIGKILL : SIGTERM)
  }

  package func stop() {
    log.info("stopping")
    isStopping = true
    options.endpoint.remove()
    close(socket)
    for child in children.values { retire(child) }
  }

  func killAll() {
    for child in children.values { kill(child.pid, SIGKILL) }
  }

  /// Writes the status if it has changed. A full disk must not end the portal, so an error is only
  /// logged.
  func publish() {
    let status = ProcessStatus(
      pid: getpid(), started: started, listen: "\(options.endpoint)", generation: generation,
      isStopping: isStopping, isReloading: reload.isGoingOn, lastReload: reload.last,
      children: Array(children.values), slots: slots, release: release)
    guard status != published else { return }
    do {
      try status.write(to: directory.statusFile)
      published = status
    } catch {
      log.warning("cannot write the status", metadata: ["reason": "\(error)"])
    }
  }
}
