import Glibc
import Logging
import PolyclinicCore
import PolyclinicSystem

/// The progress of a reload, and the outcome of the last one.
package struct Reloading {
  private(set) var isGoingOn = false
  private(set) var last: ProcessStatus.Reload?
  /// True if a reload was requested. A request during a reload starts another one after it.
  private var isRequested = false

  mutating func request() {
    isRequested = true
  }

  /// Returns true once for each reload that should begin now.
  mutating func begin() -> Bool {
    guard isRequested && !isGoingOn else { return false }
    isRequested = false
    isGoingOn = true
    return true
  }

  /// Ends the reload. `failure` is the reason why the old processes stay; nil is a success.
  mutating func finish(failure: String?, at now: Instant) {
    isGoingOn = false
    last = ProcessStatus.Reload(
      number: (last?.number ?? 0) + 1, finished: now, failure: failure)
  }
}

/// A reload in three steps; a failure in any of them leaves the old processes running.
///
/// 1. The new program migrates the database.
/// 2. The new workers start beside the old ones.
/// 3. The old workers leave after all new ones are ready.
extension Supervisor {
  private var candidates: [Child] {
    children.values.filter { $0.generation > generation && $0.state != .leaving }
  }

  func advanceReload(at now: SuspendingClock.Instant) {
    if reload.begin() {
      log.info("reload begins")
      attempt {
        try chooseNextRelease()
        try start(.migration, 1, generation: generation + 1)
      }
    }
    let candidates = candidates
    guard reload.isGoingOn, candidates.count == options.workers,
      candidates.allSatisfy({ $0.role == .worker && $0.state == .ready })
    else { return }
    attempt {
      try proveChoice()
      changeGeneration(at: now)
    }
  }

  /// Starts the new workers after a successful migration. Any other exit status fails the reload.
  func candidateEnded(_ child: Child, _ exitStatus: ExitStatus) {
    guard child.role == .migration, exitStatus == .status(0) else {
      return failReload("\(child.name) of the new program ended with \(exitStatus)")
    }
    attempt {
      for number in 1...options.workers {
        try start(.worker, number, generation: generation + 1)
      }
    }
  }

  func candidateTookTooLong(_ child: Child) {
    guard child.state == .starting, child.generation > generation else { return }
    failReload("\(child.name) of the new program was not ready in time")
  }

  private func attempt(_ step: () throws -> Void) {
    do {
      try step()
    } catch {
      failReload("\(error)")
    }
  }

  private func failReload(_ reason: String) {
    for child in candidates { retire(child) }
    log.error("reload failed, the old processes stay", metadata: ["reason": "\(reason)"])
    takeBackChoice()
    reload.finish(failure: reason, at: .current)
  }

  private func changeGeneration(at now: SuspendingClock.Instant) {
    generation += 1
    release = nextRelease
    for child in children.values where child.generation < generation { retire(child) }
    for index in slots.indices {
      slots[index].reset(startingAt: slots[index].role == .jobs ? now : nil)
    }
    log.info("reload done", metadata: ["generation": "\(generation)"])
    reload.finish(failure: nil, at: .current)
  }
}
