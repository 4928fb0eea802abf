import PolyclinicCore
import PolyclinicWeb

/// The list of people as HTML.
enum PeopleViews {
  static func list(_ found: PeopleList, typed: String, _ context: Context) -> HTML {
    """
    <p class="lead">\(context.text("people.about"))</p>\
    <form class="search" role="search" method="get" action="/admin/people">\
    <label for="q">\(context.text("people.search"))</label>\
    <input type="search" id="q" name="q" value="\(typed)" autocomplete="off" maxlength="200">\
    \(context.submit("people.search.submit", style: .secondary))</form>\
    <div id="results"><p class="count" role="status">\
    \(context.text("people.count", count: found.slice.total))</p>\(table(found, context))\
    \(context.pageLinks(found.slice) { path(typed, $0) })</div>
    """
  }

  private static func path(_ typed: String, _ page: Int) -> Path {
    typed.isEmpty
      ? Path("/admin/people").query(["page": String(page)])
      : Path("/admin/people").query(["q": typed, "page": String(page)])
  }

  private static func table(_ found: PeopleList, _ context: Context) -> HTML {
    if found.entries.isEmpty { return nobody(context) }
    let heads: [Text] = ["people.name", "people.roles", "people.state"]
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("people.title"))">\
      <table class="data stack"><thead><tr>\
      \(each: heads, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(each: found.entries, { row($0, context) })</tbody></table></div>
      """
  }

  private static func nobody(_ context: Context) -> HTML {
    context.emptyState(
      .glass, hint: "people.nobody",
      actions: context.button("people.all", to: "/admin/people", style: .secondary))
  }

  private static func row(_ entry: PeopleList.Entry, _ context: Context) -> HTML {
    """
    <tr><th scope="row"><a href="/admin/people/\(entry.person)">\
    <bdi>\(entry.profile.displayName)</bdi></a>\(login(entry.profile))</th>\
    <td data-label="\(context.text("people.roles"))">\(roles(entry.account, context))</td>\
    <td data-label="\(context.text("people.state"))">\(state(entry.account, context))</td></tr>
    """
  }

  private static func login(_ profile: Profile) -> HTML? {
    if profile.login.isEmpty { return nil }
    return "<span class=\"secondary-text\"><bdi>\(profile.login)</bdi></span>"
  }

  /// Returns the names of the roles in the order of their declaration. Everyone has the role
  /// patient.
  static func roles(_ account: Account?, _ context: Context) -> String {
    context.string(of: account?.roles ?? [.patient])
  }

  static func state(_ account: Account?, _ context: Context) -> HTML {
    guard let account else {
      return context.badge("person.no-account", .off)
    }
    let waiting: HTML? = account.wantedRole.map {
      " \(context.badge(Text("person.waits.\($0.rawValue)"), .waiting))"
    }
    return switch account.state {
    case .active: "\(context.badge("person.active", .good))\(waiting)"
    case .suspended:
      "\(context.badge("person.suspended", .off))\(waiting)"
    }
  }
}
