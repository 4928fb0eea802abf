import PolyclinicCore
import PolyclinicWeb

/// The visitor's access log and change log as one list, newest first.
enum AccessLogPage {
  /// The largest number of entries of each kind on the page. The data export has all of them.
  private static let limit = 500

  static func show(_ context: Context, _ installation: Installation) throws -> Response {
    let looks = try AccessLog.entries(by: context.keys, limit: limit, on: context)
    let changes = try ChangeLog.entries(by: context.keys, limit: limit, on: context)
    let rows =
      looks.map { (at: $0.hour, row: row($0, context)) }
      + changes.map { (at: $0.at, row: row($0, installation, context)) }
    let sorted = rows.sorted { $0.at > $1.at }.map(\.row)
    let list: HTML =
      sorted.isEmpty
      ? context.emptyState(.eye, hint: "access.empty")
      : "\(rows: sorted)"
    return .page(
      Page(
        "access.title", "<p class=\"lead\">\(context.text("access.lead"))</p>\(list)",
        back: "/account"))
  }

  private static func row(_ look: AccessLog.Entry, _ context: Context) -> HTML {
    row(
      look.viewer, look.role, hour(look.hour, context), look.reason,
      "\(context.text("access.count", count: look.count))", context)
  }

  private static func row(
    _ entry: ChangeLog.Entry, _ installation: Installation, _ context: Context
  ) -> HTML {
    row(
      entry.author, entry.role, context.formats.dateTime(entry.at), entry.reason,
      "<strong><bdi>\(sentence(entry.change, installation, context))</bdi></strong>", context)
  }

  /// Formats the hour of an access. Accesses are counted per hour, so the log has no exact time.
  private static func hour(_ hour: Instant, _ context: Context) -> String {
    context.text(
      "access.hour",
      [
        "from": context.formats.dateTime(hour), "to": context.formats.time(hour + .hours(1)),
      ])
  }

  private static func row(
    _ name: String, _ role: String, _ time: String, _ reason: String, _ what: HTML,
    _ context: Context
  ) -> HTML {
    let author: HTML? = name.isEmpty ? nil : "<strong><bdi>\(name)</bdi></strong> "
    return .row(
      content:
        "\(author)\(context.badge(Text("role.\(role)")))<span class=\"secondary-text\">\(time) · \(context.text(Text("access.reason.\(reason)"))) · \(what)</span>"
    )
  }

  /// Returns the change in the words of its module, even while the module is off.
  ///
  /// Falls back to a general text if the module is no longer installed.
  private static func sentence(
    _ change: Text, _ installation: Installation, _ context: Context
  ) -> String {
    let member = installation.members.first { $0.module.id == change.module }
    guard let words = member?.phrasebook, words.contains(change.key, in: context.language) else {
      return context.text("access.changed")
    }
    return words.string(change, in: context.language)
  }
}

/// The access log in the person's data export.
extension AccessLog {
  package static func export(
    in work: Work, to entries: JSON.Writer
  ) throws {
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
  package static func export(
    in work: Work, to entries: JSON.Writer
  ) throws {
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
