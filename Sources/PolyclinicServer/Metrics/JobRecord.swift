import PolyclinicCore

/// How a job has gone so far, where every process can read it; kept when its process is replaced.
struct JobRecord: Sendable {
  private enum Word: Int {
    case runs, failures, began, lastBegin, succeeded, milliseconds, streak
  }

  private let lane: Lane
  private let row: Int

  /// All jobs are counted in one place, since only one process runs them.
  init(_ counters: Counters, _ name: String) {
    lane = counters.lanes[0]
    row = counters.row(Self.prefix + name)
  }

  static let prefix = "job "

  /// How often it has begun.
  var runs: UInt64 { self[.runs] }
  /// How often it has failed, or taken its process along.
  var failures: UInt64 { self[.failures] }
  /// How often it has failed since it last went well.
  var streak: Int { Int(self[.streak]) }
  var lastSuccess: Instant? { moment(.succeeded) }
  /// When it last began, whatever came of it.
  var lastBegin: Instant? { moment(.lastBegin) }
  /// How long the last run took that came to an end.
  var seconds: Double { Double(self[.milliseconds]) / 1_000 }
  /// When the current run began; nil while it does not run.
  ///
  /// In a process that has just begun it is a run that never ended: the job hung, or its process was
  /// killed meanwhile.
  var began: Instant? { moment(.began) }

  func begin(at now: Instant) {
    lane.add(1, to: Word.runs.rawValue, of: row)
    self[.began] = UInt64(max(now.seconds, 1))
    self[.lastBegin] = self[.began]
  }

  func succeed(at now: Instant) {
    end(at: now)
    self[.streak] = 0
    self[.succeeded] = UInt64(max(now.seconds, 1))
  }

  func fail(at now: Instant) {
    end(at: now)
    lane.add(1, to: Word.failures.rawValue, of: row)
    self[.streak] += 1
  }

  private func end(at now: Instant) {
    if let began { self[.milliseconds] = UInt64(max((now - began).count, 0)) * 1_000 }
    self[.began] = 0
  }

  private func moment(_ word: Word) -> Instant? {
    let seconds = self[word]
    return seconds == 0 ? nil : Instant(Int64(seconds))
  }

  private subscript(word: Word) -> UInt64 {
    get { lane.load(word.rawValue, of: row) }
    nonmutating set { lane.store(newValue, in: word.rawValue, of: row) }
  }
}
