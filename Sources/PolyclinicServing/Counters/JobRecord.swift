import PolyclinicCore

/// A job's history, which every process can read. It survives the end of the jobs process.
package struct JobRecord: Sendable {
  private enum Word: Int {
    case runs, failures, began, lastBegin, succeeded, milliseconds, streak
  }

  private let shard: CounterShard
  private let row: Int

  /// Uses the first shard, because only one process runs jobs.
  package init(_ counters: Counters, _ name: String) {
    shard = counters.shards[0]
    row = counters.row(Self.prefix + name)
  }

  package static let prefix = "job "

  /// The number of starts.
  package var runs: UInt64 { self[.runs] }
  /// The number of failures, including runs that ended their process.
  package var failures: UInt64 { self[.failures] }
  /// The number of failures since the last success.
  var streak: Int { Int(self[.streak]) }
  package var lastSuccess: Instant? { moment(.succeeded) }
  /// The time of the last start, regardless of the outcome.
  package var lastBegin: Instant? { moment(.lastBegin) }
  /// The duration of the last run that ended.
  package var seconds: Double { Double(self[.milliseconds]) / 1_000 }
  /// The start of the current run; nil between runs.
  ///
  /// If a new process finds a value here, the run never ended: the job hung, or its process was
  /// killed.
  var began: Instant? { moment(.began) }

  package func begin(at now: Instant) {
    shard.add(1, to: Word.runs.rawValue, of: row)
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
    shard.add(1, to: Word.failures.rawValue, of: row)
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
    get { shard.load(word.rawValue, of: row) }
    nonmutating set { shard.store(newValue, in: word.rawValue, of: row) }
  }
}
