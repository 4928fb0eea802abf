import PolyclinicCore
import PolyclinicStore

/// What the portal tells of itself by: where its processes count, and the files that are looked at when
/// somebody asks.
struct Instruments: Sendable {
  let counters: Counters
  /// Where this process counts.
  let lane: Lane
  let files: Files
  /// Of this process.
  let trouble = Trouble()

  /// Where things stand.
  struct Files: Sendable {
    let runDirectory: RunDirectory
    let database: String
    /// Where the portal keeps its backups, and how often it is to make one.
    let backups: BackupDirectory
    let backupEvery: Seconds

    var availability: AvailabilityFile { AvailabilityFile(beside: database) }
  }

  init(_ counters: Counters, _ lane: Lane, _ files: Files) {
    self.counters = counters
    self.lane = lane
    self.files = files
  }
}

/// Counts how long writers wait for their turn.
struct WriteWaits: WriteQueueObserver {
  static let name = "write wait"

  private let lane: Lane
  private let row: Int

  init(_ counters: Counters, _ lane: Lane) {
    self.lane = lane
    row = counters.row(Self.name)
  }

  func writerWaited(nanoseconds: UInt64) {
    lane.count(nanoseconds, asClass: 0, in: row)
  }
}
