import PolyclinicCore
import PolyclinicWeb

/// The audit log of the administrators' changes, newest first.
enum AuditPage {
  static func show(_ context: Context, _ installation: Installation) throws -> Response {
    let (slice, entries, names) = try context.write { context in
      let slice = Page.Pagination(
        page: context.request.query.page, total: try AuditEntry.count(on: context))
      let entries = try AuditEntry.latest(
        Page.Pagination.size, after: slice.range.lowerBound, on: context)
      let names = try PeopleList.names(of: Set(entries.flatMap(\.people)), context)
      return (slice, entries, names)
    }
    let list: HTML =
      entries.isEmpty
      ? context.emptyState(.clock, hint: "audit.empty")
      : table(entries.map { row($0, names, installation, context) }, context)
    return .page(
      Page(
        "audit.title",
        """
        <p class="lead">\(context.text("audit.about"))</p>\(list)\
        \(context.pageLinks(slice) {
          Path("/admin/audit").query(["page": String($0)])
        })
        """,
        back: "", width: .wide))
  }

  private static func table(_ rows: [HTML], _ context: Context) -> HTML {
    let heads: [Text] = ["audit.when", "audit.who", "audit.what", "audit.whom"]
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("audit.title"))">\
      <table class="data stack"><thead><tr>\
      \(each: heads, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(rows)</tbody></table></div>
      """
  }

  private static func row(
    _ entry: AuditEntry, _ names: [ID<Person>: String], _ installation: Installation,
    _ context: Context
  ) -> HTML {
    let author =
      switch entry.author {
      case .person(let person): names[person] ?? context.text("audit.erased")
      case .commandLine: context.text("audit.command-line")
      case .erased: context.text("audit.erased")
      }
    return """
      <tr><th scope="row">\(context.zonedDateTime(entry.at))</th>\
      <td data-label="\(context.text("audit.who"))"><bdi>\(author)</bdi></td>\
      <td data-label="\(context.text("audit.what"))">\(what(entry, installation, context))</td>\
      <td data-label="\(context.text("audit.whom"))">\(whom(entry, names, context))</td></tr>
      """
  }

  private static func what(
    _ entry: AuditEntry, _ installation: Installation, _ context: Context
  ) -> String {
    let role = entry.role.map { context.text(Text("role.\($0.rawValue)")) } ?? ""
    let module = entry.module.map { title(of: $0, installation, context) } ?? ""
    return context.text(
      Text("audit.action.\(entry.action.rawValue)"), ["role": role, "module": module])
  }

  private static func whom(
    _ entry: AuditEntry, _ names: [ID<Person>: String], _ context: Context
  ) -> HTML {
    if let subject = entry.subject, let name = names[subject] {
      return "<a href=\"/admin/people/\(subject)\"><bdi>\(name)</bdi></a>"
    }
    let isAboutNobody = entry.module != nil || entry.action == .rotateKey
    return isAboutNobody ? "–" : "\(context.text("audit.erased"))"
  }

  private static func title(
    of module: ModuleID, _ installation: Installation, _ context: Context
  ) -> String {
    guard let member = installation.members.first(where: { $0.module.id == module }) else {
      return module.rawValue
    }
    return member.phrasebook.string(member.module.title, in: context.language)
  }
}

extension AuditEntry {
  fileprivate var people: [ID<Person>] {
    if case .person(let author) = author { return [author] + (subject.map { [$0] } ?? []) }
    return subject.map { [$0] } ?? []
  }
}
