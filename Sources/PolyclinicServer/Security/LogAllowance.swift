import PolyclinicCore

/// Bounds how much of the disk failures can fill, without letting a flood hide anything else: so many
/// lines a minute of a category, of which no address may take more than a part.
struct LogAllowance {
  /// Events that are counted together: strangers take no line from people, nor one reason from another.
  struct Category: Hashable {
    let kind: SecurityEvent.Kind
    let reason: String?
    let isOfPerson: Bool

    init(_ event: SecurityEvent) {
      kind = event.kind
      reason = event.details["reason"]
      isOfPerson = !event.people.isEmpty
    }
  }

  /// Lines of one category that were not written.
  struct LeftOut {
    let category: Category
    var count = 0
    var addresses: Set<String> = []
    /// Of how many addresses they were, at most ``LogAllowance/mostSources``.
    var sources: Int { addresses.count }
  }

  /// Lines a minute of one category.
  static let perCategory = 120
  /// Those of one address, until half of its category's are written.
  static let perSource = 30
  /// Those of one address from then on, so that another sixty addresses are seen.
  static let perLateSource = 1
  /// Addresses of lines that are left out are counted up to here.
  static let mostSources = 1_000

  private var minute: Int64 = 0
  private var written: [Category: [String: Int]] = [:]
  private var leftOut: [Category: LeftOut] = [:]

  /// Begins a minute, if a new one has begun, and returns what was left out in the one before.
  mutating func begin(_ now: Instant) -> [LeftOut] {
    guard now.seconds / 60 != minute else { return [] }
    defer { minute = now.seconds / 60 }
    return end()
  }

  /// Forgets everything, and returns what was left out.
  mutating func end() -> [LeftOut] {
    defer { self = LogAllowance() }
    return leftOut.values.sorted { $0.count > $1.count }
  }

  /// True if a line is to be written.
  mutating func admit(_ event: SecurityEvent, from source: String) -> Bool {
    let category = Category(event)
    let counts = written[category, default: [:]]
    let all = counts.values.reduce(0, +)
    let limit = all < Self.perCategory / 2 ? Self.perSource : Self.perLateSource
    guard all < Self.perCategory, counts[source, default: 0] < limit else {
      leave(category, from: source)
      return false
    }
    written[category, default: [:]][source, default: 0] += 1
    return true
  }

  private mutating func leave(_ category: Category, from source: String) {
    var left = leftOut[category] ?? LeftOut(category: category)
    left.count += 1
    if left.sources < Self.mostSources { left.addresses.insert(source) }
    leftOut[category] = left
  }
}
