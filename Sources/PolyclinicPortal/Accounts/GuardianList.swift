import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The people for whom the visitor acts, and those who act for the visitor.
struct GuardianList: RoutedPage {
  static let address: Address<Void> = "/account/people"
  static let linkTitle: Text? = "guardians.title"

  private let inCare: [Entry]
  private let guardians: [Entry]
  /// The others who act for the same children.
  private let others: [ID<Person>: [Entry]]
  private let links: GuardianLinkList
  /// The people in care who have an account of their own.
  private let members: Set<ID<Person>>
  /// The children who are old enough for an account of their own and have none.
  private let invitable: Set<ID<Person>>
  /// The children whose details the visitor may correct.
  private let correctable: Set<ID<Person>>
  /// True for a visitor who is not of age.
  private let isMinor: Bool
  private let visitor: ID<Person>
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
    visitor = person
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
    let children = try context.childrenInCare
    others = Dictionary(
      uniqueKeysWithValues: try children.map { child in
        let all = try Guardianship.all(for: child, vault, on: context).filter {
          $0.guardian != person && $0.scope(at: context.now) != nil
        }
        return (child, try entries(all, \.guardian))
      })
    links = try GuardianLinkList(of: children, context)
    isMinor =
      try Profile.own(in: context).birthDate.flatMap {
        GuardianshipAges.reached(
          context.server.site.guardianship.end, born: $0, in: context.formats.timeZone)
      }.map { context.now < $0 } ?? false
    let members = Set(
      try context.rows(
        "SELECT person FROM accounts WHERE person IN \(list: inCare.map(\.other))"
      ) { row -> ID<Person> in row.id(0) })
    self.members = members
    let withoutAccount = inCare.filter {
      $0.guardianship.basis == .parentalResponsibility && !members.contains($0.other)
    }
    let people = Set(withoutAccount.map(\.other))
    let profiles = try Profile.all(
      of: context.peopleInCare.map(\.keys).filter { people.contains($0.person) }, on: context)
    invitable = people.filter { child in
      profiles[child]?.birthDate.map {
        GuardianshipAges.allowAccount(born: $0, at: context.now, in: context.formats.timeZone)
      } ?? false
    }
    // By the right that was granted, as the form judges.
    let changeable = withoutAccount.filter {
      $0.guardianship.scope == .all && $0.guardianship.scope(at: context.now) != nil
    }
    correctable = Set(changeable.map(\.other)).subtracting(
      try Guardianship.keptByClinic(among: changeable.map(\.other), on: context))
  }

  var page: Page {
    let now = context.now
    let active = inCare.filter { $0.guardianship.scope(at: now) != nil }
    let own = guardians.filter { $0.guardianship.scope(at: now) != nil }
    let ended = (inCare + guardians).filter { $0.guardianship.scope(at: now) == nil }
    let atReception: HTML? =
      others.keys.allSatisfy { correctable.contains($0) || members.contains($0) }
      ? nil : "<p class=\"hint\">\(context.text("guardians.correct"))</p>"
    let themselves = active.filter {
      $0.guardianship.basis == .parentalResponsibility && members.contains($0.other)
    }
    let hasParent = own.contains { $0.guardianship.basis == .parentalResponsibility }
    let parents: HTML = "<p class=\"hint\">\(context.text("guardians.mine.parent"))</p>"
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
      \(each: themselves, { "<p class=\"hint\">\(context.text(Text("guardians.correct.own", ["name": $0.name])))</p>" })\
      \(atReception)\(actions:
        context.button(
          "guardians.add-child", to: NewChild.path, style: isMinor ? .secondary : []),
        context.button("guardians.ask", to: GuardianRequest.path, style: .secondary))\
      \(unused(links.requests))\
      <h2>\(context.text("guardians.mine"))</h2>\
      \(own.isEmpty ? "<p class=\"muted\">\(context.text("guardians.mine.none"))</p>" : "\(rows: own, guardianRow)")\
      \(unused(links.offers(for: visitor)))\
      \(actions: context.button("guardians.give", to: GiveAccess.path, style: .secondary))\
      \(hasParent ? parents : nil)<p class="hint">\(context.text("guardians.password"))</p>\(past)
      """,
      back: AccountPage.path)
  }

  /// Returns the list of unused links; nil if there are none.
  private func unused(_ links: [GuardianInvitation]) -> HTML? {
    links.isEmpty ? nil : "\(rows: links, { HTML.row(content: self.links.content($0)) })"
  }

  private func inCareRow(_ entry: Entry) -> HTML {
    let isChild = entry.guardianship.basis == .parentalResponsibility
    let open = Path("/for/\(entry.other)/")
    let buttons: [HTML?] = [
      context.button("guardians.open", to: open, style: .small, of: entry.name),
      isChild && !members.contains(entry.other) ? invitation(entry) : nil, childAccount(entry),
      context.button(
        "guardians.leave.short", to: LeaveGuardianship.path(entry.other),
        style: isOnlyGuardian(entry) ? [.plain, .small] : [.plain, .danger, .small],
        of: entry.name),
    ]
    // Below the words, because three buttons beside them would leave no room for these.
    return .row(
      content: """
        \(content(entry, "\(limit(of: entry))\(links(to: entry))"))\(actions: buttons)\
        \(isChild ? others(for: entry) : nil)
        """)
  }

  /// True for the only guardian of a child without an account, who cannot stop: the button leads to
  /// the reason.
  private func isOnlyGuardian(_ entry: Entry) -> Bool {
    let others = others[entry.other] ?? []
    return entry.guardianship.basis == .parentalResponsibility && !members.contains(entry.other)
      && !others.contains { $0.guardianship.replaces(entry.guardianship) }
  }

  /// Returns the reason why a parent only books; nil for any other guardian.
  private func limit(of entry: Entry) -> HTML? {
    let (guardianship, now) = (entry.guardianship, context.now)
    guard guardianship.scope(at: now) == .book, guardianship.isLimitedByAge(at: now) else {
      return nil
    }
    let text = Text("guardians.limited", ["name": entry.name])
    let account: HTML? =
      invitable.contains(entry.other) ? " \(context.text("guardians.error.at-reception"))" : nil
    return "<span class=\"secondary-text\">\(context.text(text))\(account)</span>"
  }

  /// Returns the others who act for a child, and the links with which somebody else would.
  private func others(for entry: Entry) -> HTML {
    let others = others[entry.other] ?? []
    let isClinics = others.contains { !entry.guardianship.ends($0.guardianship, at: context.now) }
    let wrong: HTML? =
      isClinics ? "<p class=\"secondary-text\">\(context.text("guardians.also.wrong"))</p>" : nil
    return """
      \(each: others, { also($0, besides: entry.guardianship) })\(wrong)\
      \(each: links.offers(for: entry.other), links.content)
      """
  }

  /// Returns somebody who acts for the same child, with the way to end that if the visitor can.
  private func also(_ other: Entry, besides own: Guardianship) -> HTML {
    let (guardianship, formats) = (other.guardianship, context.formats)
    let text = Text(
      "guardians.also",
      ["name": other.name, "date": formats.date(formats.day(of: guardianship.startsAt))])
    let scope = words(guardianship.scope(at: context.now) ?? guardianship.scope)
    let line: HTML = "<p class=\"secondary-text\">\(context.text(text)) · \(scope)</p>"
    guard own.ends(guardianship, at: context.now) else { return line }
    let until: HTML? = own.lastMoment(toEnd: guardianship).map {
      let words = Text(
        "guardians.undo.until", ["name": other.name, "date": formats.dateTime($0)])
      return "<p class=\"secondary-text\">\(context.text(words))</p>"
    }
    let undo = context.button(
      "guardians.undo.short", to: UndoInvitation.path(guardianship),
      style: [.plain, .danger, .small], of: other.name)
    return "\(line)\(until)\(actions: undo)"
  }

  /// The links to the pages about the data of a person in care; nil for a guardian who only books
  /// and corrects nothing.
  private func links(to entry: Entry) -> HTML? {
    func link(_ title: Text, _ page: Path) -> HTML {
      """
      <a href="\(Path(checked: PersonInCare.prefix(entry.other) + page.description))">\
      \(context.text(title))<span class="hidden-text"> \(entry.name)</span></a>
      """
    }
    let reads = entry.guardianship.scope(at: context.now).map { $0 >= .read } ?? false
    let corrects = correctable.contains(entry.other)
    guard reads || corrects else { return nil }
    let records: HTML = """
      \(link("guardians.log", AccessLogPage.path))&emsp;\
      \(link("guardians.shown", SharedRecords.path))&emsp;\
      \(link("deleted.title", DeletedPage.path))&emsp;\
      \(link("guardians.export", ExportPage.path))&emsp;
      """
    return """
      <span class="secondary-text">\(reads ? records : nil)\
      \(corrects ? link("guardians.details.short", ChildCorrection.path) : nil)</span>
      """
  }

  private func invitation(_ entry: Entry) -> HTML {
    context.button(
      "guardians.invite", to: InviteGuardian.path(entry.other), style: [.secondary, .small],
      of: entry.name)
  }

  /// The way to an account of a child's own; nil for a child who is too young or has one.
  private func childAccount(_ entry: Entry) -> HTML? {
    guard invitable.contains(entry.other), entry.guardianship.invitesChild(at: context.now)
    else { return nil }
    return context.button(
      "guardians.child-account.short", to: InviteChild.path(entry.other),
      style: [.secondary, .small], of: entry.name)
  }

  private func content(_ entry: Entry, _ links: HTML? = nil) -> HTML {
    """
    <div class="with-initial">\(context.avatar(of: entry.other, named: entry.name))\
    <div>\(name(entry))\(facts(entry))\(links)</div></div>
    """
  }

  private func guardianRow(_ entry: Entry) -> HTML {
    let (guardianship, agree) = (entry.guardianship, agreement(entry))
    let change = context.button(
      "guardians.change.short", to: ChangeAccess.path(entry.other), style: [.secondary, .small],
      of: entry.name)
    let canWithdraw = guardianship.basis == .consent || guardianship.agreed > .book
    let withdraw = context.button(
      "guardians.withdraw", to: WithdrawAccess.path(entry.other),
      style: [.plain, .danger, .small], of: entry.name)
    return .row(
      content: """
        \(content(entry))\
        \(actions:
          agree, guardianship.basis == .consent ? change : nil, canWithdraw ? withdraw : nil)
        """)
  }

  /// The way to agree that a parent reads on, or to change how far; nil long before the review.
  private func agreement(_ entry: Entry) -> HTML? {
    guard entry.guardianship.isForReview(at: context.now) else { return nil }
    let page = AgreeToReading.path(entry.other)
    if entry.guardianship.agreed > .book {
      return context.button(
        "guardians.change.short", to: page, style: [.secondary, .small], of: entry.name)
    }
    return context.button(
      Text("guardians.agree.named", ["name": entry.name]), to: page, style: [.secondary, .small])
  }

  private func endedRow(_ entry: Entry) -> HTML {
    let isActive = entry.guardianship.state == .active
    let end = (isActive ? entry.guardianship.endsAt : nil) ?? entry.guardianship.decidedAt
    let date = context.formats.date(context.formats.day(of: end))
    let reason =
      isActive
      ? context.text("guardians.reason.age")
      : context.text(Text("guardians.reason.\(entry.guardianship.reason.rawValue)"))
    let isInCare = entry.guardianship.guardian == visitor
    let role = context.text(isInCare ? "guardians.ended.in-care" : "guardians.ended.mine")
    return .row(name(entry), detail: "\(role) · \(reason) · \(date)")
  }

  private func name(_ entry: Entry) -> HTML { "<strong><bdi>\(entry.name)</bdi></strong>" }

  private func facts(_ entry: Entry) -> HTML {
    let guardianship = entry.guardianship
    let scope = guardianship.scope(at: context.now) ?? guardianship.scope
    let review = guardianship.review(ahead: context.now).map { review -> String in
      let date = context.formats.date(context.formats.day(of: review))
      return guardianship.agreed == .book
        ? context.text("guardians.from.book", ["date": date])
        : context.text("guardians.from", ["date": date, "scope": words(guardianship.agreed)])
    }
    let end = guardianship.endsAt.map(context.untilDay)
    let texts = [words(scope), review, end].compactMap(\.self)
    return "\(each: texts, { "<span class=\"secondary-text\">\($0)</span>" })"
  }

  private func words(_ scope: GuardianScope) -> String {
    context.text(Text("scope.\(scope.rawValue)"))
  }
}
