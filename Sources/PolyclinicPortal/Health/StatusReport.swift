import Glibc
import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem
import PolyclinicWeb

/// The portal's status for people: at the terminal, on `/admin`, and for monitoring from outside.
///
/// A value that cannot be read is nil and logged. It does not affect the others.
package struct StatusReport: Sendable {
  /// The processes; nil if the portal is not running.
  package let processes: ProcessStatus?
  /// The fraction of the last 30 days in which the portal was available; nil if not known yet.
  package let availability: Double?
  /// The portal's first start; nil if it is more than 30 days ago.
  let availableSince: Instant?
  package let backup: Backup?
  /// The sizes of the database and of its write-ahead log, in bytes.
  package let database: UInt64?
  package let log: UInt64?
  /// The reason why the database does not answer; nil if it does, or was not asked.
  package let databaseFailure: String?
  /// The free space on the disk of the database's file, or of the data directory, in bytes.
  let free: UInt64?
  /// The problems with outgoing messages.
  package let outages: [DeliveryOutage]
  /// The properties of the database's server that an administrator should change.
  package let warnings: [DatabaseWarning]
  /// The names of the former databases that restores have kept.
  package let former: [String]
  /// The names of the drafts that commands are preparing or have left.
  package let drafts: [String]
  /// The release in service as a sentence; nil if no other release is kept.
  package let release: String?
  /// The machines that share the database; empty if it belongs to this one alone.
  package let machines: [Machine]

  /// The part of the status that only the database can tell.
  package struct Stored: Sendable {
    package var outages: [DeliveryOutage]
    package var warnings: [DatabaseWarning]
    package var machines: [Machine]

    package init(
      outages: [DeliveryOutage] = [], warnings: [DatabaseWarning] = [], machines: [Machine] = []
    ) {
      self.outages = outages
      self.warnings = warnings
      self.machines = machines
    }
  }

  /// The state of the backups.
  package struct Backup: Sendable, Equatable {
    /// The start of the last good backup; nil if there is none yet.
    package let newest: Instant?
    package let every: Seconds
    /// The time since which there has been data to back up.
    package let since: Instant?

    /// True if two backups were due and none was made, even if there has never been one.
    func isLate(at now: Instant) -> Bool {
      guard let begin = newest ?? since else { return false }
      return BackupAge.isLate(now - begin, every: every)
    }
  }

  /// The free space below which a portal of some hundred people has days left, not months.
  private static let scarce: UInt64 = 1 << 30

  /// True if the disk will soon be full.
  var isDiskScarce: Bool { free.map { $0 < Self.scarce } ?? false }

  /// True if the portal was available for less time than promised. The first day is not judged,
  /// because one restart is a large share of it.
  func isBelowTarget(at now: Instant) -> Bool {
    guard let availability, availableSince.map({ now - $0 >= .days(1) }) ?? true else {
      return false
    }
    return Percentage(of: availability).hundredths
      < Percentage(of: UptimeHistory.promised).hundredths
  }

  /// `stored` asks the database.
  package init(
    _ files: InstallationFiles, at now: Instant, stored: () throws -> Stored = { Stored() }
  ) {
    var failure: String?
    let stored = Self.read("database") {
      do { return try stored() } catch let error as DatabaseError {
        failure = error.detail
        return nil
      }
    }
    outages = stored?.outages ?? []
    warnings = stored?.warnings ?? []
    machines = stored?.machines ?? []
    databaseFailure = failure
    processes = Self.read("processes") { try ProcessStatus.current(in: files.runDirectory) }
    release = Self.read("releases") { [processes] in
      try processes?.release.flatMap { try files.releases.sentence(of: $0) }
    }
    let record = Self.read("availability") { try files.uptime.read() }
    availability = record?.share(at: now)
    availableSince = record.flatMap { $0.since > now - UptimeHistory.window ? $0.since : nil }
    let others = self.machines.lastBackup(besides: files.machine)
    backup = Self.read("backups") {
      Backup(
        newest: [try files.backups.newest(at: now)?.time, others].compactMap(\.self).max(),
        every: files.backupEvery,
        since: record?.since)
    }
    former = Self.read("former databases") { try files.copies.former().map(FilePath.name) } ?? []
    drafts = files.copies.drafts().map(FilePath.name)
    database = files.database.flatMap(Self.size)
    log = files.database.flatMap { Self.size(of: $0 + "-wal") }
    free = Self.freeBytes(beside: files.database ?? files.releases.path)
  }

  private static func read<Value>(_ what: String, _ body: () throws -> Value?) -> Value? {
    do {
      return try body()
    } catch {
      Logger(label: "status").warning(
        "cannot be read", metadata: ["what": "\(what)", "reason": "\(type(of: error))"])
      return nil
    }
  }

  private static func size(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_size) : nil
  }

  /// Returns the free bytes available to users other than root.
  package static func freeBytes(beside path: String) -> UInt64? {
    var disk = statvfs()
    guard statvfs(FilePath.directory(of: path), &disk) == 0 else { return nil }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
  }
}

/// A percentage in hundredths of a percent, rounded down so that it never overstates availability.
struct Percentage: Sendable, CustomStringConvertible {
  let hundredths: Int

  init(of share: Double) { hundredths = Int((share * 10_000).rounded(.down)) }

  var value: Double { Double(hundredths) / 100 }

  var description: String {
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
  }
}

/// A number of bytes for people: up to three digits and a unit.
struct ByteCount: Sendable {
  enum Unit: String, CaseIterable, Sendable {
    case kilobytes = "kB"
    case megabytes = "MB"
    case gigabytes = "GB"
    case terabytes = "TB"
  }

  let value: Double
  let unit: Unit
  /// One digit for values below ten, else none.
  var fractionDigits: Int { value < 10 ? 1 : 0 }

  init(_ bytes: UInt64) {
    var value = Double(bytes) / 1_000
    var unit = Unit.kilobytes
    for next in Unit.allCases.dropFirst() where value >= 1_000 {
      value /= 1_000
      unit = next
    }
    self.value = value
    self.unit = unit
  }

  /// The number with its unit, for a terminal.
  var text: String {
    let tenths = Int((value * 10).rounded())
    let number = fractionDigits == 0 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(unit.rawValue)"
  }
}
