import PolyclinicCore
import PolyclinicWeb

/// The visitor's access log and change log as one list, newest first.
struct AccessLogPage: RoutedPage {
  static let address: Address<Void> = "/account/access-log"

  /// The largest number of entries of each kind on the page. The data export has all of them.
  private static let limit = 500

  private let accesses: [AccessLog.Entry]
  private let changes: [ChangeLog.Entry]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    accesses = try AccessLog.entries(by: context.keys, limit: Self.limit, on: context)
    changes = try ChangeLog.entries(by: context.keys, limit: Self.limit, on: context)
  }

  var page: Page {
    let rows =
      accesses.map { (at: $0.hour, row: row($0)) } + changes.map { (at: $0.at, row: row($0)) }
    let sorted = rows.sorted { $0.at > $1.at }.map(\.row)
    let list: HTML =
      sorted.isEmpty ? context.emptyState(.eye, hint: "access.empty") : "\(rows: sorted)"
    return Page(
      "access.title", "<p class=\"lead\">\(context.text("access.lead"))</p>\(list)",
      back: AccountPage.path)
  }

  private func row(_ entry: AccessLog.Entry) -> HTML {
    // Accesses are counted per hour, so the log has no exact time.
    let hour = context.text(
      "access.hour",
      [
        "from": context.formats.dateTime(entry.hour),
        "to": context.formats.time(entry.hour + .hours(1)),
      ])
    return row(
      author(entry.viewer, entry.role), "\(hour) · \(reason(entry.reason))",
      "\(context.text("access.count", count: entry.count))")
  }

  private func row(_ entry: ChangeLog.Entry) -> HTML {
    row(
      author(entry.author, entry.role),
      "\(context.formats.dateTime(entry.at)) · \(reason(entry.reason))",
      "<strong><bdi>\(sentence(entry.change))</bdi></strong>")
  }

  private func author(_ name: String, _ role: String) -> HTML {
    let name: HTML? = name.isEmpty ? nil : "<strong><bdi>\(name)</bdi></strong> "
    return "\(name)\(context.badge(Text("role.\(role)")))"
  }

  private func reason(_ name: String) -> String { context.text(Text("access.reason.\(name)")) }

  private func row(_ author: HTML, _ occasion: HTML, _ what: HTML) -> HTML {
    .row(content: "\(author)<span class=\"secondary-text\">\(occasion) · \(what)</span>")
  }

  /// Returns the change in the words of its module, even while the module is off.
  ///
  /// Falls back to a general text if the module is no longer installed.
  private func sentence(_ change: Text) -> String {
    let members = context.server.installation.members
    let member = members.first { $0.module.id == change.module }
    guard let words = member?.phrasebook, words.contains(change.key, in: context.language) else {
      return context.text("access.changed")
    }
    return words.string(change, in: context.language)
  }
}

/// The access log in the person's data export.
extension AccessLog {
  static func export(in work: Work, to entries: JSON.Writer) throws {
    try forEach(by: work.keys, on: work) { entry in
      try entries.append([
        "name": .string(entry.viewer), "role": .string(entry.role),
        "reason": .string(entry.reason), "hour": .string(entry.hour.timestamp),
        "count": .integer(Int64(entry.count)),
      ])
    }
  }
}

extension ChangeLog {
  static func export(in work: Work, to entries: JSON.Writer) throws {
    try forEach(by: work.keys, on: work) { entry in
      try entries.append([
        "name": .string(entry.author), "role": .string(entry.role),
        "reason": .string(entry.reason), "at": .string(entry.at.timestamp),
        "module": .string(entry.change.module?.rawValue ?? ""),
        "change": .string(entry.change.key),
        "values": .object(
          entry.change.arguments.sorted { $0.key < $1.key }
            .map { .init($0.key, .string($0.value)) }),
      ])
    }
  }
}
