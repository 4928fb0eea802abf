import PolyclinicCore
import PolyclinicWeb

/// The views and changes of the visitor's data by others, newest first.
struct AccessLogPage: RoutedPage {
  static let address: Address<Void> = "/account/access-log"
  static let linkTitle: Text? = "access.title"

  /// The largest number of entries on the page. The data export has all of them.
  private static let limit = 1_000

  private let entries: [AccessLog.Entry]
  /// Those of a reader of another person's log, who looks for strangers.
  private let ownEntries: [AccessLog.Entry]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let (visitor, now) = (try context.signedIn(), context.now)
    let all = try AccessLog.entries(by: context.keys, limit: Self.limit, on: context)
    // Views count with the end of their hour, or a change of that hour would hide them.
    let sorted = all.enumerated().sorted { one, other in
      let (first, second) = (one.element.end(at: now), other.element.end(at: now))
      return first == second ? one.offset < other.offset : first > second
    }.map(\.element)
    func isReaders(_ entry: AccessLog.Entry) -> Bool {
      visitor.inCare != nil && entry.author == visitor.person
    }
    entries = sorted.filter { !isReaders($0) }
    ownEntries = sorted.filter(isReaders)
  }

  var page: Page {
    let list: HTML =
      entries.isEmpty
      ? context.emptyState(.eye, hint: context.aboutPerson("access.empty"))
      : "\(rows: entries.map(row))"
    let number = ["number": context.formats.number(ownEntries.count)]
    let own: HTML? =
      ownEntries.isEmpty
      ? nil
      : """
      <details class="fold"><summary>\(context.text("access.yours", number))</summary>\
      \(rows: ownEntries.map(row))</details>
      """
    return Page(
      context.aboutPerson("access.title"),
      "<p class=\"lead\">\(context.text(context.aboutPerson("access.lead")))</p>\(list)\(own)",
      back: context.wayToAccount)
  }

  private func row(_ entry: AccessLog.Entry) -> HTML {
    let words = sentence(entry.what, or: entry.isChange ? "access.changed" : "access.viewed")
    let what: HTML =
      entry.isChange ? "<strong>\(words)</strong>" : "\(words) · \(looks(entry.count))"
    let time = time(of: entry)
    // Somebody with a link or a terminal, whose role and reason nobody knows.
    if entry.name.isEmpty {
      return .row(content: "<span class=\"secondary-text\">\(time) · \(what)</span>")
    }
    let reason = context.text(
      entry.isOwn ? "access.reason.own" : Text("access.reason.\(entry.reason)"))
    let isGuardian = entry.reason == AccessReason.guardianship.rawValue
    let role = isGuardian ? context.aboutPerson("access.acts") : Text("role.\(entry.role)")
    let badge = entry.isOwn ? nil : context.badge(role)
    return .row(
      content: """
        <strong><bdi>\(entry.name)</bdi></strong> \(badge)<span class="secondary-text">\
        \(time) · \(reason) · \(what)</span>
        """)
  }

  /// Returns the views of an hour in words, without a number for one, because those of a guardian
  /// are not counted.
  private func looks(_ count: Int) -> String {
    count == 1 ? context.text("access.looked") : context.text("access.count", count: count)
  }

  private func time(of entry: AccessLog.Entry) -> String {
    if entry.isChange { return context.formats.dateTime(entry.at) }
    // Views are counted per hour, so the log has no exact time.
    return context.text(
      "access.hour",
      [
        "from": context.formats.dateTime(entry.at),
        "to": context.formats.time(entry.at + .hours(1)),
      ])
  }

  /// Returns the change, or the thing that was viewed, in the words of its module, even while the
  /// module is off; `general` if the module is no longer installed.
  private func sentence(_ what: Text, or general: Text) -> String {
    let members = context.server.installation.members
    let member = members.first { $0.module.id == what.module }
    guard let words = member?.phrasebook, words.contains(what.key, in: context.language) else {
      return context.text(general)
    }
    return words.string(what, in: context.language)
  }
}

extension AccessLog.Entry {
  /// The time of a change, or the end of the hour of the views, which is not over yet.
  fileprivate func end(at now: Instant) -> Instant { isChange ? at : min(at + .hours(1), now) }
}

extension Context {
  /// Returns the sentence about the visitor, or, under a key with `.other`, that about the person in
  /// care, by name.
  func aboutPerson(_ key: String) -> Text {
    visitor?.inCare.map { Text("\(key).other", ["name": $0.name]) } ?? Text(key)
  }
}

/// The access log in the person's data export.
extension AccessLog {
  static func export(in work: Work, to entries: JSON.Writer) throws {
    try forEach(by: work.keys, on: work) { try entries.append($0.json) }
  }
}

extension AccessLog.Entry {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init("name", .string(name)), .init("role", .string(role)),
      .init("reason", .string(reason)),
    ]
    members.append(.init("module", .string(what.module?.rawValue ?? "")))
    if isChange {
      let texts = what.values.compactMapValues { value -> String? in
        if case .text(let text) = value { text.key } else { nil }
      }
      let values = what.arguments.merging(texts) { $1 }.sorted { $0.key < $1.key }
      members += [
        .init("at", .string(at.timestamp)), .init("change", .string(what.key)),
        .init("values", .object(values.map { .init($0.key, .string($0.value)) })),
      ]
    } else {
      members += [
        .init("hour", .string(at.timestamp)), .init("viewed", .string(what.key)),
        .init("count", .integer(Int64(count))),
      ]
    }
    return .object(members)
  }
}
