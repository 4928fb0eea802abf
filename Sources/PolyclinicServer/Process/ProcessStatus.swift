import FoundationEssentials
import Glibc
import PolyclinicCore

/// What runs, as the supervisor writes it at every change, for `polyclinic status`.
struct ProcessStatus: Codable, Equatable, Sendable {
  var pid: Int32
  /// Seconds since 1970, as are all times here.
  var started: Int64
  var listen: String
  /// How many programs this supervisor has served from: one more with each reload that went well.
  var generation: Int
  var isStopping: Bool
  var isReloading: Bool
  var lastReload: Reload?
  var processes: [Entry]

  struct Reload: Codable, Equatable, Sendable {
    /// Counted from the start of the supervisor, from 1.
    var number: Int
    var finished: Int64
    /// Why the old processes stayed; nil when it went well.
    var failure: String?

    init(number: Int, finished: Instant, failure: String?) {
      self.number = number
      self.finished = finished.seconds
      self.failure = failure
    }
  }

  struct Entry: Codable, Equatable, Sendable {
    var role: ProcessRole
    var number: Int
    var state: State
    var generation: Int
    var restarts: Int
    /// Nil while no process fills the place.
    var pid: Int32?
    var started: Int64?
  }

  /// `pausing` is a place whose next process waits, after too many that died.
  enum State: String, Codable, Sendable {
    case starting, ready, leaving, pausing
  }
}

extension ProcessStatus {
  init(
    pid: Int32, started: Instant, listen: String, generation: Int, isStopping: Bool,
    isReloading: Bool, lastReload: Reload?, children: [Child], posts: [Post]
  ) {
    let restarts = Dictionary(
      posts.map { (Place($0.role, $0.number), $0.restarts) }, uniquingKeysWith: max)
    let running = children.map { child in
      Entry(
        role: child.role, number: child.number, state: State(child.state),
        generation: child.generation,
        restarts: restarts[Place(child.role, child.number)] ?? 0, pid: child.pid,
        started: child.started.seconds)
    }
    let empty = isStopping ? [] : posts.filter { $0.startsAt != nil }
    let pausing = empty.map { post in
      Entry(
        role: post.role, number: post.number, state: .pausing, generation: generation,
        restarts: post.restarts)
    }
    self.init(
      pid: pid, started: started.seconds, listen: listen, generation: generation,
      isStopping: isStopping, isReloading: isReloading, lastReload: lastReload,
      processes: (running + pausing).sorted { $0.order < $1.order })
  }

  private struct Place: Hashable {
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
  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// Whoever reads the file finds the old status or the new one, whole.
  func write(to path: String) throws {
    let bytes = try encoded()
    let draft = "\(path).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw SystemError("open", on: draft) }
    let count = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard count == bytes.count else { throw SystemError("write", on: draft) }
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
  }

  /// The status of the supervisor that runs now; nil when none does, or has not written any yet.
  static func current(in directory: RunDirectory) throws -> ProcessStatus? {
    guard let pid = try PidFile.holder(of: directory.pidFile) else { return nil }
    guard access(directory.statusFile, F_OK) == 0 else { return nil }
    let data = try Data(contentsOf: URL(filePath: directory.statusFile))
    let status = try JSONDecoder().decode(ProcessStatus.self, from: data)
    // What a supervisor that was killed has left behind is no status.
    return status.pid == pid ? status : nil
  }
}
