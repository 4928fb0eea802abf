import PolyclinicCore

/// Limits the disk space that logged failures can fill, so that a flood cannot hide other events.
/// Each category has a number of lines a minute, and each address a share of them.
struct LogRateLimit {
  /// Lines that are counted together. Lines with a person, lines without one, and each reason have
  /// their own limit, so that strangers cannot use up the lines of users.
  struct Category: Hashable {
    let message: String
    let reason: String?
    let isOfPerson: Bool
  }

  /// The omitted lines of one category.
  struct OmittedLines {
    let category: Category
    var count = 0
    var addresses: Set<String> = []
    /// The number of addresses, at most ``LogRateLimit/mostSources``.
    var sources: Int { addresses.count }
  }

  /// The lines a minute of one category.
  static let perCategory = 120
  /// The lines a minute of one address, until half of its category's lines are written.
  static let perSource = 30
  /// The lines a minute of one address after that, so that another sixty addresses are logged.
  static let perLateSource = 1
  /// The largest number of addresses of omitted lines that are counted.
  static let mostSources = 1_000

  private var minute: Int64 = 0
  private var written: [Category: [String: Int]] = [:]
  private var omitted: [Category: OmittedLines] = [:]

  /// Starts a new minute if one has begun, and returns the lines omitted in the previous one.
  mutating func begin(_ now: Instant) -> [OmittedLines] {
    guard now.seconds / 60 != minute else { return [] }
    defer { minute = now.seconds / 60 }
    return end()
  }

  /// Resets the counts, and returns the omitted lines.
  mutating func end() -> [OmittedLines] {
    defer { self = LogRateLimit() }
    return omitted.values.sorted { $0.count > $1.count }
  }

  /// Returns true if a line may be written, and counts it.
  mutating func admit(_ category: Category, from source: String) -> Bool {
    let counts = written[category, default: [:]]
    let all = counts.values.reduce(0, +)
    let limit = all < Self.perCategory / 2 ? Self.perSource : Self.perLateSource
    guard all < Self.perCategory, counts[source, default: 0] < limit else {
      omit(category, from: source)
      return false
    }
    written[category, default: [:]][source, default: 0] += 1
    return true
  }

  private mutating func omit(_ category: Category, from source: String) {
    var lines = omitted[category] ?? OmittedLines(category: category)
    lines.count += 1
    if lines.sources < Self.mostSources { lines.addresses.insert(source) }
    omitted[category] = lines
  }
}
