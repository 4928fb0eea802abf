import PolyclinicCore
import PolyclinicWeb

/// The list of people as HTML.
enum PeopleViews {
  static func list(_ found: PeopleList, _ filter: PeopleFilter, _ context: Context) -> HTML {
    """
    <p class="lead">\(context.text("people.about"))</p>\
    \(context.searchForm(
      at: "/admin/people", "people.search", words: filter.words, submit: "people.search.submit",
      filters: filters(filter, context), isLive: true))\
    <div id="results">\(context.resultCount(Text("people.count", count: found.slice.total)))\
    \(people(found, context))\
    \(context.pageLinks(found.slice, filter.path))</div>
    """
  }

  private static func filters(_ filter: PeopleFilter, _ context: Context) -> HTML {
    let roles =
      [("", Text("people.role.any"))]
      + Role.allCases.filter { $0 != .patient }.map {
        ($0.rawValue, Text("role.\($0.rawValue)"))
      }
    let states =
      [("", Text("people.state.any"))]
      + PeopleFilter.State.allCases.map {
        ($0.rawValue, Text("people.state.\($0.rawValue)"))
      }
    let orders = PeopleFilter.Order.allCases.map {
      ($0.rawValue, Text("people.order.\($0.rawValue)"))
    }
    return """
      \(select("role", "people.role", roles, filter.role?.rawValue ?? "", context))\
      \(select("state", "people.state", states, filter.state?.rawValue ?? "", context))\
      \(select("order", "people.order", orders, filter.order.rawValue, context))
      """
  }

  private static func select(
    _ name: StaticString, _ label: Text, _ options: [(value: String, title: Text)],
    _ chosen: String, _ context: Context
  ) -> HTML {
    let choices: [HTML] = options.map { option in
      """
      <option value="\(option.value)"\(attribute: " selected", if: option.value == chosen)>\
      \(context.text(option.title))</option>
      """
    }
    return context.field(
      label, id: name.description, "<select id=\"\(name)\" name=\"\(name)\">\(choices)</select>")
  }

  private static func people(_ found: PeopleList, _ context: Context) -> HTML {
    found.entries.isEmpty ? nobody(context) : "\(rows: found.entries, { row($0, context) })"
  }

  private static func nobody(_ context: Context) -> HTML {
    context.emptyState(
      .glass, hint: "people.nobody",
      actions: context.button("people.all", to: "/admin/people", style: .secondary))
  }

  /// A person as a link, with the login, the roles besides patient, and a state that is not usual.
  private static func row(_ entry: PeopleList.Entry, _ context: Context) -> HTML {
    let roles = context.string(of: (entry.account?.roles ?? []).subtracting([.patient]))
    let details: [HTML] = [entry.profile.login, roles].filter { !$0.isEmpty }.map {
      "<bdi>\($0)</bdi>"
    }
    return .row(
      to: "/admin/people/\(entry.person)", "<bdi>\(entry.profile.displayName)</bdi>",
      mark: isUsual(entry.account) ? nil : state(entry.account, context),
      detail: "\(each: details.enumerated(), { $0 == 0 ? $1 : " · \($1)" })")
  }

  private static func isUsual(_ account: Account?) -> Bool {
    account?.state == .active && account?.wantedRole == nil
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
