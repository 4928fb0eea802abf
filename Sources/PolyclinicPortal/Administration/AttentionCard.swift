import PolyclinicCore
import PolyclinicWeb

/// The administrators' cards on the home page.
extension AdministrationModule {
  /// The most people whom the card names.
  private static let mostNamed = 5

  package var cards: [Card] {
    [
      Card("attention.title", access: OverviewPage.access, first: .administrator, Self.attention),
      Card(
        "first-steps.portal", access: OverviewPage.access, first: .administrator,
        Self.firstSteps),
    ]
  }

  package var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep(
        "first-steps.mail", about: "first-steps.mail.about", isOptional: true,
        isDone: { $0.portal.sendsMail }),
      Link.FirstStep(
        "first-steps.backup", about: "first-steps.backup.about", isOptional: true,
        isDone: { try $0.hasBackup }),
    ]
  }

  /// The card with the problems of the portal, the people who wait for a role, and the time of the
  /// last backup.
  private static func attention(_ context: Context) throws -> HTML? {
    let report = try StatusReport(context)
    let problems = report.problems(context).map {
      context.notice(.remark, $0, as: .warning)
    }
    let waiting = try WaitingPeople(most: mostNamed, context)
    let nothing: HTML? =
      problems.isEmpty && waiting.count == 0 ? "<p>\(context.text("attention.nothing"))</p>" : nil
    let backup = report.backup?.newest.map(context.zonedDateTime)
    return """
      \(problems)\(waiting.list(context))\(nothing)\
      <p class="secondary-text">\(context.text("state.backup")): \
      \(backup ?? context.text("state.backup.none"))</p>\
      \(context.moreLink("attention.more", to: OverviewPage.path))
      """
  }

  /// The card with the first steps of a new portal. Once it is set up, the card folds the optional
  /// steps that are left; nil if none are.
  private static func firstSteps(_ context: Context) throws -> HTML? {
    let steps = FirstSteps(for: OverviewPage.access, context)
    if !steps.isFinished { return steps.list(context) }
    if !steps.hasMore { return nil }
    return """
      <details class="more-text"><summary>\(context.text("first-steps.finished"))</summary>\
      \(steps.list(context))</details>
      """
  }
}

/// The people who wait for an administrator's approval.
struct WaitingPeople {
  /// The number of all who wait.
  let count: Int
  private let people: [(person: ID<Person>, role: Role, name: String)]

  /// Finds those who have waited longest, `most` of them by name. Each named person sees it in the
  /// access log.
  init(most: Int, _ context: Context) throws {
    let all = try context.rows(
      "SELECT person, wanted_role FROM accounts WHERE wanted_role <> '' ORDER BY person"
    ) { row -> (ID<Person>, Role?) in (row.id(0), Role(rawValue: row.string(1))) }
    count = all.count
    if all.isEmpty {
      people = []
      return
    }
    let first = all.prefix(most)
    let names = try context.write { context in
      try PeopleList.names(of: Set(first.map(\.0)), context)
    }
    people = first.compactMap { person, role in
      guard let role, let name = names[person] else { return nil }
      return (person, role, name)
    }
  }

  /// Returns the people as links to their pages; nil if nobody waits.
  func list(_ context: Context) -> HTML? {
    if count == 0 { return nil }
    let rows: [HTML] = people.map { person, role, name in
      .row(
        to: PersonPage.path(person), "<bdi>\(name)</bdi>",
        mark: context.badge(Text("role.\(role.rawValue)"), .waiting))
    }
    let all: HTML? =
      count > people.count
      ? context.moreLink("overview.to-waiting", to: PeoplePage.path.query(["state": "waiting"]))
      : nil
    return """
      <p>\(context.text("overview.waiting", count: count))</p>\(rows: rows)\(all)
      """
  }
}
