import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The people for whom the visitor acts, and those who act for the visitor.
struct GuardianList: RoutedPage {
  static let address: Address<Void> = "/account/people"

  private let inCare: [Entry]
  private let guardians: [Entry]
  private let context: Context

  /// A guardianship with the name of the other person.
  private struct Entry {
    let guardianship: Guardianship
    let other: ID<Person>
    let name: String
  }

  init(_ context: Context) throws {
    self.context = context
    let (vault, person) = (context.server.vault, try context.keys.person)
    func entries(
      _ all: [Guardianship], _ other: (Guardianship) -> ID<Person>
    ) throws -> [Entry] {
      try all.compactMap { guardianship in
        try context.name(ofGuardianshipWith: other(guardianship)).map {
          Entry(guardianship: guardianship, other: other(guardianship), name: $0)
        }
      }
    }
    inCare = try entries(Guardianship.all(of: person, vault, on: context), \.person)
    guardians = try entries(Guardianship.all(for: person, vault, on: context), \.guardian)
  }

  var page: Page {
    let now = context.now
    let active = inCare.filter { $0.guardianship.scope(at: now) != nil }
    let own = guardians.filter { $0.guardianship.scope(at: now) != nil }
    let ended = (inCare + guardians).filter { $0.guardianship.scope(at: now) == nil }
    let past: HTML? =
      ended.isEmpty
      ? nil
      : """
      <details class="fold"><summary>\(context.text("guardians.ended"))</summary>\
      \(rows: ended, endedRow)</details>
      """
    return Page(
      "guardians.title",
      """
      <p class="lead">\(context.text("guardians.lead"))</p>\
      <h2>\(context.text("guardians.in-care"))</h2>\
      \(active.isEmpty ? context.emptyState(.people, hint: "guardians.in-care.none") : "\(rows: active, inCareRow)")\
      \(actions:
        context.button("guardians.add-child", to: NewChild.path),
        context.button("guardians.ask", to: GuardianRequest.path, style: .secondary))\
      <h2>\(context.text("guardians.mine"))</h2>\
      \(own.isEmpty ? "<p class=\"muted\">\(context.text("guardians.mine.none"))</p>" : "\(rows: own, guardianRow)")\
      \(actions: context.button("guardians.give", to: GiveAccess.path, style: .secondary))\
      <p class="hint">\(context.text("guardians.password"))</p>\(past)
      """,
      back: AccountPage.path)
  }

  private func inCareRow(_ entry: Entry) -> HTML {
    let isChild = entry.guardianship.basis == .parentalResponsibility
    let open = Path("/for/\(entry.other)/")
    let buttons: [HTML?] = [
      context.button("guardians.open", to: open, style: .small, of: entry.name),
      isChild ? invitation(entry) : nil,
      context.button(
        "guardians.leave.short", to: LeaveGuardianship.path(entry.other),
        style: [.plain, .danger, .small], of: entry.name),
    ]
    // Below the words, because three buttons beside them would leave no room for these.
    return .row(content: "\(content(entry))\(actions: buttons)")
  }

  private func invitation(_ entry: Entry) -> HTML {
    context.button(
      "guardians.invite", to: InviteGuardian.path(entry.other), style: [.secondary, .small],
      of: entry.name)
  }

  private func content(_ entry: Entry) -> HTML {
    """
    <div class="with-initial">\(HTML.avatar(of: entry.name))\
    <div>\(name(entry))\(facts(entry))</div></div>
    """
  }

  private func guardianRow(_ entry: Entry) -> HTML {
    .row(
      content: content(entry),
      actions: context.button(
        "guardians.withdraw", to: WithdrawAccess.path(entry.other),
        style: [.plain, .danger, .small], of: entry.name))
  }

  private func endedRow(_ entry: Entry) -> HTML {
    let date = context.formats.date(context.formats.day(of: entry.guardianship.decidedAt))
    let reason =
      entry.guardianship.state == .active
      ? context.text("guardians.reason.age")
      : context.text(Text("guardians.reason.\(entry.guardianship.reason.rawValue)"))
    return .row(name(entry), detail: "\(reason) · \(date)")
  }

  private func name(_ entry: Entry) -> HTML { "<strong><bdi>\(entry.name)</bdi></strong>" }

  private func facts(_ entry: Entry) -> HTML {
    let scope = entry.guardianship.scope(at: context.now) ?? entry.guardianship.scope
    let end = entry.guardianship.endsAt.map {
      context.text(
        "guardians.until", ["date": context.formats.date(context.formats.day(of: $0))])
    }
    let texts = [context.text(Text("scope.\(scope.rawValue)")), end].compactMap(\.self)
    return "\(each: texts, { "<span class=\"secondary-text\">\($0)</span>" })"
  }
}

extension Context {
  /// Returns the name of the other person of a guardianship or of an invitation to one, which both
  /// may know; nil if the person was erased.
  func name(ofGuardianshipWith other: ID<Person>) throws -> String? {
    try KeyStore(server.vault).unloggedKeys(of: other, on: self)
      .flatMap { try Profile.name(by: $0, on: self) }
  }

  /// Logs and notices that somebody may act for a person from now on, or no longer.
  func tell(_ change: GuardianChange, _ guardianship: Guardianship) throws {
    let keys = try KeyStore(server.vault).unloggedKeys(of: guardianship.person, on: self)
    let guardian = try name(ofGuardianshipWith: guardianship.guardian) ?? ""
    if let keys {
      try AccessLog.record(
        Text("access.guardian.\(change.rawValue)", ["name": guardian]).spoken(by: "account"),
        for: .guardianship, in: with(keys))
    }
    for person in [guardianship.person, guardianship.guardian] {
      try server.accountNotices.tell(person, .guardian(change), in: self)
    }
  }
}
