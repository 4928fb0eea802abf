import Glibc
import Logging
import PolyclinicCore

/// How the portal is, for people: at the terminal, on `/admin`, and for those who watch from
/// outside.
///
/// What cannot be read is left out, with a line in the log, and takes nothing else along.
struct Glance: Sendable {
  /// Nil when the portal does not run.
  let processes: ProcessStatus?
  /// The part of the last 30 days in which the portal was there; nil before anything is known.
  let availability: Double?
  /// The portal's first start; nil when that is more than 30 days ago.
  let availableSince: Instant?
  let backup: Backup?
  /// The sizes in bytes of the database and of its write-ahead log.
  let database: UInt64?
  let log: UInt64?
  /// Room on the disk of the database, in bytes.
  let free: UInt64?
  /// E-mails that should have gone out; nil when all goes well.
  let mail: MailTrouble?

  /// The last good backup.
  struct Backup: Sendable, Equatable {
    /// When it was begun; nil when there is none yet.
    let newest: Instant?
    let every: Seconds
    /// When there first was something to back up.
    let since: Instant?

    /// Whether two were due and none came, also when there never was one.
    func isLate(at now: Instant) -> Bool {
      guard let begin = newest ?? since else { return false }
      return BackupAge.isLate(now - begin, every: every)
    }
  }

  /// Below this a portal of some hundred people has days, not months.
  private static let scarce: UInt64 = 1 << 30

  /// Whether the disk should be looked after soon.
  var isDiskScarce: Bool { free.map { $0 < Self.scarce } ?? false }

  /// `mail` finds out whether e-mails go out; it is not asked where none are sent.
  init(
    _ files: Instruments.Files, at now: Instant, mail: () throws -> MailTrouble? = { nil }
  ) {
    self.mail = Self.read("e-mails", mail)
    processes = Self.read("processes") { try ProcessStatus.current(in: files.runDirectory) }
    let record = Self.read("availability") { try files.availability.read() }
    availability = record?.share(at: now)
    availableSince = record.flatMap { $0.since > now - Availability.window ? $0.since : nil }
    backup = Self.read("backups") {
      Backup(
        newest: try files.backups.newest(at: now)?.time, every: files.backupEvery,
        since: record?.since)
    }
    database = Self.size(of: files.database)
    log = Self.size(of: files.database + "-wal")
    free = Self.freeBytes(beside: files.database)
  }

  private static func read<Value>(_ what: String, _ body: () throws -> Value?) -> Value? {
    do {
      return try body()
    } catch {
      Logger(label: "glance").warning(
        "cannot be read", metadata: ["what": "\(what)", "reason": "\(type(of: error))"])
      return nil
    }
  }

  private static func size(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_size) : nil
  }

  /// For whoever is not root.
  private static func freeBytes(beside path: String) -> UInt64? {
    var disk = statvfs()
    guard statvfs(FilePath.directory(of: path), &disk) == 0 else { return nil }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
  }
}

/// A part of a whole in hundredths of a percent, rounded down: nobody is promised more than there was.
struct Percentage: Sendable, CustomStringConvertible {
  let hundredths: Int

  init(of share: Double) { hundredths = Int((share * 10_000).rounded(.down)) }

  var value: Double { Double(hundredths) / 100 }

  var description: String {
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
  }
}

/// A number of bytes as people say it: three digits and a unit.
struct ByteCount: Sendable {
  enum Unit: String, CaseIterable, Sendable {
    case kilobytes = "kB"
    case megabytes = "MB"
    case gigabytes = "GB"
    case terabytes = "TB"
  }

  let value: Double
  let unit: Unit
  /// One below ten, else none.
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

  /// For a terminal.
  var text: String {
    let tenths = Int((value * 10).rounded())
    let number =
      fractionDigits == 0 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(unit.rawValue)"
  }
}
