import Glibc
import Logging
import PolyclinicCore

/// How far a reload has come, and how the last one went.
struct Reloading {
  private(set) var isGoingOn = false
  private(set) var last: ProcessStatus.Reload?
  /// A request during a reload asks for another one after it.
  private var isRequested = false

  mutating func request() {
    isRequested = true
  }

  /// True once for each reload that is to begin now.
  mutating func begin() -> Bool {
    guard isRequested && !isGoingOn else { return false }
    isRequested = false
    isGoingOn = true
    return true
  }

  /// `failure` says why the old processes stay; nil is a success.
  mutating func finish(failure: String?, at now: Instant) {
    isGoingOn = false
    last = ProcessStatus.Reload(
      number: (last?.number ?? 0) + 1, finished: now, failure: failure)
  }
}

/// The new program's migrations; then its workers beside the old ones; and when all of them are
/// ready, the old ones leave. Whatever fails on the way leaves the old ones as they are.
extension Supervisor {
  private var candidates: [Child] {
    children.values.filter { $0.generation > generation && $0.state != .leaving }
  }

  func advanceReload(at now: SuspendingClock.Instant) {
    if reload.begin() {
      log.info("reload begins")
      attempt { try start(.migration, 1, generation: generation + 1) }
    }
    let candidates = candidates
    guard reload.isGoingOn, candidates.count == plan.workers,
      candidates.allSatisfy({ $0.role == .worker && $0.state == .ready })
    else { return }
    changeGeneration(at: now)
  }

  /// A migration that ended well lets the new workers start; any other end ends the reload.
  func candidateEnded(_ child: Child, _ ending: Ending) {
    guard child.role == .migration, ending == .status(0) else {
      return failReload("\(child.name) of the new program ended with \(ending)")
    }
    attempt {
      for number in 1...plan.workers {
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
    reload.finish(failure: reason, at: .current)
  }

  private func changeGeneration(at now: SuspendingClock.Instant) {
    generation += 1
    for child in children.values where child.generation < generation { retire(child) }
    for index in posts.indices {
      posts[index].refill(at: posts[index].role == .jobs ? now : nil)
    }
    log.info("reload done", metadata: ["generation": "\(generation)"])
    reload.finish(failure: nil, at: .current)
  }
}
