import FoundationEssentials
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The state of all processes. The supervisor writes it at every change, for `polyclinic status`.
package struct ProcessStatus: Codable, Equatable, Sendable {
  package var pid: Int32
  /// Seconds since 1970, like all times here.
  package var started: Int64
  package var listen: String
  /// The number of programs that this supervisor has run: one more with each successful reload.
  package var generation: Int
  package var isStopping: Bool
  package var isReloading: Bool
  package var lastReload: Reload?
  package var processes: [Entry]
  /// The release of the current generation.
  package var release: ServingRelease?

  package struct Reload: Codable, Equatable, Sendable {
    /// A counter from 1 since the start of the supervisor.
    package var number: Int
    package var finished: Int64
    /// The reason why the old processes stayed; nil after a success.
    package var failure: String?

    package init(number: Int, finished: Instant, failure: String?) {
      self.number = number
      self.finished = finished.seconds
      self.failure = failure
    }
  }

  package struct Entry: Codable, Equatable, Sendable {
    package var role: ProcessRole
    package var number: Int
    package var state: State
    package var generation: Int
    package var restarts: Int
    /// Nil while the slot has no process.
    package var pid: Int32?
    package var started: Int64?
    /// True for a worker that the database refuses writes.
    package var isFailing = false
  }

  /// The state of a process. `pausing` is a slot that waits out its back-off before the next start.
  package enum State: String, Codable, Sendable {
    case starting, ready, leaving, pausing
  }
}

extension ProcessStatus {
  package init(
    pid: Int32, started: Instant, listen: String, generation: Int, isStopping: Bool,
    isReloading: Bool, lastReload: Reload?, children: [Child], slots: [ProcessSlot],
    release: ServingRelease? = nil
  ) {
    let restarts = Dictionary(
      slots.map { (SlotID($0.role, $0.number), $0.restarts) }, uniquingKeysWith: max)
    let running = children.map { child in
      Entry(
        role: child.role, number: child.number, state: State(child.state),
        generation: child.generation,
        restarts: restarts[SlotID(child.role, child.number)] ?? 0, pid: child.pid,
        started: child.started.seconds, isFailing: child.isFailing)
    }
    let empty = isStopping ? [] : slots.filter { $0.startsAt != nil }
    let pausing = empty.map { slot in
      Entry(
        role: slot.role, number: slot.number, state: .pausing, generation: generation,
        restarts: slot.restarts)
    }
    self.init(
      pid: pid, started: started.seconds, listen: listen, generation: generation,
      isStopping: isStopping, isReloading: isReloading, lastReload: lastReload,
      processes: (running + pausing).sorted { $0.order < $1.order }, release: release)
  }

  private struct SlotID: Hashable {
    let role: ProcessRole
    let number: Int

    init(_ role: ProcessRole, _ number: Int) {
      self.role = role
      self.number = number
    }
  }
}

extension ProcessStatus.Entry {
  fileprivate var order: (Int, Int, Int, Int32) {
    (role == .worker ? 0 : 1, number, generation, pid ?? 0)
  }
}

extension ProcessStatus.State {
  fileprivate init(_ state: Child.State) {
    switch state {
    case .starting: self = .starting
    case .ready: self = .ready
    case .leaving: self = .leaving
    }
  }
}

extension ProcessStatus {
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// Replaces the file atomically, so that a reader finds either the old or the new status.
  package func write(to path: String) throws {
    let bytes = try encoded()
    let draft = "\(path).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw SystemError("open", on: draft) }
    let count = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard count == bytes.count else { throw SystemError("write", on: draft) }
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
  }

  /// Returns the status of the running supervisor. Nil if none runs, or it has not written one yet.
  package static func current(in directory: RunDirectory) throws -> ProcessStatus? {
    guard let pid = try PidFile.holder(of: directory.pidFile) else { return nil }
    guard access(directory.statusFile, F_OK) == 0 else { return nil }
    let data = try Data(contentsOf: URL(filePath: directory.statusFile))
    let status = try JSONDecoder().decode(ProcessStatus.self, from: data)
    // A supervisor that was killed leaves its status behind; ignore it.
    return status.pid == pid ? status : nil
  }
}
