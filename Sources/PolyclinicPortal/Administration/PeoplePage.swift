import PolyclinicCore
import PolyclinicWeb

/// The list of all people.
struct PeoplePage: RoutedPage {
  static let address: Address<Void> = "/admin/people"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "people.title"

  private let filter: PeopleFilter
  private let found: PeopleList
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let filter = PeopleFilter(context.request.query)
    self.filter = filter
    found = try context.write(filter.people)
  }

  var page: Page {
    let erased: HTML? =
      context.request.query["done"] == "erased" ? context.notice(.outcome, "people.erased") : nil
    return Page(
      "people.title",
      """
      \(erased)<p class="lead">\(context.text("people.about"))</p>\
      \(context.searchForm(
        at: Self.path, "people.search", words: filter.words, submit: "people.search.submit",
        filters: filters, isLive: true))\
      <div id="results">\(context.resultCount(Text("people.count", count: found.slice.total)))\
      \(found.entries.isEmpty ? nobody : "\(rows: found.entries, row)")\
      \(context.pageLinks(found.slice, filter.path))</div>
      """,
      back: OverviewPage.path, assets: [.search], width: .wide)
  }

  private var filters: HTML {
    let roles = Role.allCases.filter { $0 != .patient }.map {
      ($0.rawValue, Text("role.\($0.rawValue)"))
    }
    let states = PeopleFilter.State.allCases.map {
      ($0.rawValue, Text("people.state.\($0.rawValue)"))
    }
    let orders = PeopleFilter.Order.allCases.map {
      ($0.rawValue, Text("people.order.\($0.rawValue)"))
    }
    return """
      \(select("role", [("", "people.role.any")] + roles, filter.role?.rawValue ?? ""))\
      \(select("state", [("", "people.state.any")] + states, filter.state?.rawValue ?? ""))\
      \(select("order", orders, filter.order.rawValue))
      """
  }

  private func select(
    _ name: String, _ options: [(value: String, title: Text)], _ chosen: String
  ) -> HTML {
    let choices: [HTML] = options.map { option in
      """
      <option value="\(option.value)"\(attribute: " selected", if: option.value == chosen)>\
      \(context.text(option.title))</option>
      """
    }
    return context.field(
      Text("people.\(name)"), id: name,
      "<select id=\"\(name)\" name=\"\(name)\">\(choices)</select>")
  }

  private var nobody: HTML {
    context.emptyState(
      .glass, hint: "people.nobody",
      actions: context.button("people.all", to: Self.path, style: .secondary))
  }

  /// A person as a link, with the login, the roles besides patient, and a state that is not usual.
  private func row(_ entry: PeopleList.Entry) -> HTML {
    let account = entry.account
    let isUsual = account?.state == .active && account?.wantedRole == nil
    let roles = context.string(of: (account?.roles ?? []).subtracting([.patient]))
    let details: [HTML] = [entry.profile.login, roles].filter { !$0.isEmpty }.map {
      "<bdi>\($0)</bdi>"
    }
    return .row(
      to: PersonPage.path(entry.person), "<bdi>\(entry.profile.displayName)</bdi>",
      mark: isUsual ? nil : entry.state(context),
      detail: "\(each: details.enumerated(), { $0 == 0 ? $1 : " · \($1)" })")
  }
}

extension PeopleList.Entry {
  /// Returns the state of the account as badges.
  func state(_ context: Context) -> HTML {
    guard let account else { return context.badge("person.no-account", .off) }
    let waiting: HTML? = account.wantedRole.map {
      " \(context.badge(Text("person.waits.\($0.rawValue)"), .waiting))"
    }
    return switch account.state {
    case .active: "\(context.badge("person.active", .good))\(waiting)"
    case .suspended: "\(context.badge("person.suspended", .off))\(waiting)"
    }
  }
}
