import PolyclinicCore
import PolyclinicStore

/// What the portal reports about itself from: where its processes count, and the files that are
/// looked at when somebody asks.
struct Instruments: Sendable {
  let counters: Counters
  /// Where this process counts.
  let lane: Lane
  let files: Files
  /// Whether the database has refused what people sent to this process.
  let trouble = Trouble()

  /// Where things stand.
  struct Files: Sendable {
    let runDirectory: RunDirectory
    let database: String
    /// Where the portal keeps its backups, how often it is to make one, and how many it keeps.
    let backups: BackupDirectory
    let backupEvery: Seconds
    let backupsKept: Int

    var availability: AvailabilityFile { AvailabilityFile(beside: database) }

    /// When the backups forget what is erased now, if they go on as they are to.
    func forgetting(at now: Instant) -> BackupDirectory.Forgetting {
      backups.forgetting(at: now, every: backupEvery, keeping: backupsKept)
    }
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
