import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The list of all people and the page of one person.
enum PeoplePages {
  static func list(_ context: Context, _ vault: Vault) throws -> Response {
    let query = context.request.query
    let filter = PeopleFilter(query)
    let found = try context.write { context in
      try PeopleList.find(filter, page: query.page, vault, context)
    }
    let erased: HTML? =
      query["done"] == "erased" ? notice("people.erased", context) : nil
    return .page(
      Page(
        "people.title", "\(erased)\(PeopleViews.list(found, filter, context))", back: "",
        assets: [.search], width: .wide))
  }

  static func show(_ context: Context, _ server: ServerContext) throws -> Response {
    let (entry, remainders, link) = try context.write { context in
      let entry = try PeopleList.entry(of: context.id(), context)
      let account = entry.account
      return (
        entry, try server.installation.remainders(of: account, context),
        try OneTimeLink.expiry(for: entry.person, at: context.now, on: context)
      )
    }
    let done = Done(rawValue: context.request.query["done"]).map { done in
      context.notice(
        .outcome, Text("person.done.\(done.rawValue)"),
        action: done.givesRole ? nextSteps(entry.account?.roles ?? [], context, server) : nil)
    }
    return .page(
      Page(
        Text("person.title", ["name": entry.profile.displayName]),
        "\(done)\(remainders)\(PersonViews.person(entry, linkUntil: link, context))",
        back: "people"))
  }

  /// Returns links to what an administrator does for each new member of these roles; nil if no
  /// module has such a step.
  private static func nextSteps(
    _ roles: Set<Role>, _ context: Context, _ server: ServerContext
  ) -> HTML? {
    let links: [HTML] = server.installation.firstSteps(for: AdministrationModule.access).compactMap
    {
      step, member in
      guard let role = step.role, roles.contains(role),
        let path = member.page(of: step, context)
      else { return nil }
      let title = member.phrasebook.string(step.title, in: context.language)
      return "<p><a href=\"\(path)\">\(title)</a></p>"
    }
    return links.isEmpty ? nil : "\(links)"
  }

  /// The change that was just made, for the page's message.
  enum Done: String {
    case approved
    case declined
    case given
    case taken
    case suspended
    case reinstated
    /// A one-time link was withdrawn.
    case withdrawn

    /// True if the person has a new role.
    var givesRole: Bool { self == .approved || self == .given }
  }

  private static func notice(_ text: Text, _ context: Context) -> HTML {
    context.notice(.outcome, text)
  }
}
