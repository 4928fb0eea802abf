import PolyclinicCore
import PolyclinicWeb

/// The audit log of the administrators' changes, newest first.
struct AuditPage: RoutedPage {
  static let address: Address<Void> = "/admin/audit"
  static let access = Access.role(.administrator)

  private let slice: Page.Pagination
  private let entries: [AuditEntry]
  private let names: [ID<Person>: String]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    (slice, entries, names) = try context.write { context in
      let slice = Page.Pagination(
        page: context.request.query.page, total: try AuditEntry.count(on: context))
      let entries = try AuditEntry.latest(
        Page.Pagination.size, after: slice.range.lowerBound, on: context)
      return (slice, entries, try PeopleList.names(of: Set(entries.flatMap(\.people)), context))
    }
  }

  var page: Page {
    let list = entries.isEmpty ? context.emptyState(.clock, hint: "audit.empty") : table
    return Page(
      "audit.title",
      """
      <p class="lead">\(context.text("audit.about"))</p>\(list)\
      \(context.pageLinks(slice) { Self.path.query(["page": String($0)]) })
      """,
      back: OverviewPage.path, width: .wide)
  }

  private var table: HTML {
    context.table(
      "audit.title", ["audit.when", "audit.who", "audit.what", "audit.whom"], entries.map(row))
  }

  private func row(_ entry: AuditEntry) -> [HTML] {
    let author =
      switch entry.author {
      case .person(let person): names[person] ?? context.text("audit.erased")
      case .commandLine: context.text("audit.command-line")
      case .erased: context.text("audit.erased")
      }
    return [
      "\(context.zonedDateTime(entry.at))", "<bdi>\(author)</bdi>", "\(action(of: entry))",
      subject(of: entry),
    ]
  }

  private func action(of entry: AuditEntry) -> String {
    let role = entry.role.map { context.text(Text("role.\($0.rawValue)")) } ?? ""
    let members = context.server.installation.members
    let module = entry.module.map { id in
      members.first { $0.module.id == id }?.title(in: context.language) ?? id.rawValue
    }
    return context.text(
      Text("audit.action.\(entry.action.rawValue)"), ["role": role, "module": module ?? ""])
  }

  private func subject(of entry: AuditEntry) -> HTML {
    if let subject = entry.subject.flatMap(link) {
      let guardian: HTML? = entry.guardian.flatMap(link).map {
        "<span class=\"secondary-text\">\(context.text("audit.guardian")): \($0)</span>"
      }
      return "\(subject)\(guardian)"
    }
    let isAboutNobody = entry.module != nil || entry.action == .rotateKey
    return isAboutNobody ? "–" : "\(context.text("audit.erased"))"
  }

  /// Returns the link to the page of a person; nil for an erased one.
  private func link(_ person: ID<Person>) -> HTML? {
    names[person].map { "<a href=\"\(PersonPage.path(person))\"><bdi>\($0)</bdi></a>" }
  }
}

extension AuditEntry {
  fileprivate var people: [ID<Person>] {
    let author: ID<Person>? = if case .person(let person) = author { person } else { nil }
    return [author, subject, guardian].compactMap(\.self)
  }
}
