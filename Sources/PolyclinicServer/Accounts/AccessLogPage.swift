import PolyclinicCore

/// Who looked at the visitor's data or changed something of it, the latest first.
enum AccessLogPage {
  /// How many entries of each kind are shown; the copy of one's data has all.
  private static let limit = 500

  static func show(_ context: Context) throws -> Response {
    let (looks, changes) = try context.database.read { connection in
      (
        try AccessLog.entries(by: context.keys, limit: limit, on: connection),
        try ChangeLog.entries(by: context.keys, limit: limit, on: connection)
      )
    }
    let rows =
      looks.map { (at: $0.hour, row: row($0, context)) }
      + (try changes.map { (at: $0.at, row: try row($0, context)) })
    let sorted = rows.sorted { $0.at > $1.at }.map(\.row)
    let list: HTML =
      sorted.isEmpty
      ? "<div class=\"empty\">\(context.icon(.eye))<p>\(context.text("access.empty"))</p></div>"
      : "<ul class=\"rows\">\(sorted)</ul>"
    return .page(
      Page(
        "access.title", "<p class=\"lead\">\(context.text("access.lead"))</p>\(list)",
        back: "/account"))
  }

  private static func row(_ look: AccessLog.Entry, _ context: Context) -> HTML {
    row(
      look.looker, look.role, hour(look.hour, context), look.reason,
      "\(context.text("access.count", count: look.count))", context)
  }

  private static func row(_ entry: ChangeLog.Entry, _ context: Context) throws -> HTML {
    row(
      entry.author, entry.role, context.formats.dateTime(entry.at), entry.reason,
      "<strong><bdi>\(try sentence(entry.change, context))</bdi></strong>", context)
  }

  /// Looks are counted by the hour, in which they came at any time.
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
    return """
      <li><div class="item"><span>\(author)<span class="badge">\(context.text(Text("role.\(role)")))</span>\
      <span class="secondary-text">\(time) · \
      \(context.text(Text("access.reason.\(reason)"))) · \(what)</span></span></div></li>
      """
  }

  /// In the words of its module, also while that is off; one that is gone has left no words.
  private static func sentence(_ change: Text, _ context: Context) throws -> String {
    let member = try context.front().installation.members.first { $0.module.id == change.module }
    guard let words = member?.phrasebook, words.contains(change.key, in: context.language) else {
      return context.text("access.changed")
    }
    return words.string(change, in: context.language)
  }
}

/// For the copy of one's data.
extension AccessLog {
  static func export(
    by keys: Keys, on connection: Connection, to entries: JSONWriter
  ) throws {
    try forEach(by: keys, on: connection) { entry in
      try entries.append([
        "name": .string(entry.looker), "role": .string(entry.role),
        "reason": .string(entry.reason), "hour": .string(entry.hour.timestamp),
        "count": .integer(Int64(entry.count)),
      ])
    }
  }
}

extension ChangeLog {
  static func export(
    by keys: Keys, on connection: Connection, to entries: JSONWriter
  ) throws {
    try forEach(by: keys, on: connection) { entry in
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
