import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// The page with the doctors whom the person shows records, and the administrators whom the person
/// shows the access log.
struct SharedRecords: RoutedPage {
  static let address: Address<Void> = "/account/sharing"
  static let linkTitle: Text? = "sharing.title"
  static let withdrawing: Address<Void> = "/account/sharing/withdraw"

  private let consents: [SharingConsent]
  private let names: [ID<Person>: String]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    consents = try SharingConsent.all(from: context.keys.person, context.server.vault, in: context)
    names = try context.readerNames(of: consents.map(\.reader))
  }

  var page: Page {
    Page(
      context.aboutPerson("sharing.title"),
      """
      <p class="lead">\(context.text(lead))</p>\
      \(consents.isEmpty ? context.emptyState(.boxArrow, hint: "sharing.empty") : "\(rows: consents, row)")\
      \(actions:
        context.button("sharing.records", to: ShareRecords.path),
        context.button("sharing.log", to: ShareAccessLog.path, style: .secondary))\
      <p class="hint">\(context.text(context.aboutPerson("sharing.log-tells")))</p>
      """,
      back: context.wayToAccount)
  }

  /// The sentence about what the visitor can do here: nothing with only the right to read.
  private var lead: Text {
    guard let inCare = context.visitor?.inCare, !inCare.letsChangeRecords else {
      return context.aboutPerson("sharing.lead")
    }
    return Text("sharing.lead.reader", ["name": inCare.name])
  }

  private func row(_ consent: SharingConsent) -> HTML {
    let name = names[consent.reader] ?? ""
    // Without a doctor's specialization.
    let bare = String(name.prefix { $0 != "·" })
    return .row(
      content: """
        <div class="with-initial">\(HTML.avatar(of: bare))<div><strong><bdi>\(name)</bdi></strong>\
        <span class="secondary-text">\(context.text(context.title(of: consent))) · \(context.untilDay(consent.endsAt))</span>\
        </div></div>
        """,
      actions: context.button(
        "sharing.stop", posts: Self.withdrawing.path,
        with: ["reader": "\(consent.reader)", "module": consent.module.rawValue],
        style: [.plain, .danger, .small], of: name))
  }

  /// Ends a permission at once; one that has ended by itself is as good.
  static func withdraw(_ context: Context) throws -> Response {
    let (fields, vault) = (context.request.fields, context.server.vault)
    return try context.redirecting { context in
      let consent = try SharingConsent.all(from: context.keys.person, vault, in: context).first {
        "\($0.reader)" == fields["reader"] && $0.module.rawValue == fields["module"]
      }
      guard let consent else { return Redirect(to: path) }
      try consent.withdraw(on: context)
      try context.server.accountNotices.tell(consent.reader, .hidden, in: context)
      return Redirect(to: path).saying("sharing.said.stopped")
        .changing(try context.words("access.sharing.ended", consent))
    }
  }
}

/// The choice of a reader and of the last day.
struct SharingDraft: Sendable {
  /// The module whose records are shown.
  var module = ""
  /// The number of the reader.
  var reader = ""
  var until: CalendarDate?

  /// Returns a draft that ends by itself before it is forgotten.
  static func usual(_ context: Context) -> SharingDraft {
    var draft = SharingDraft()
    draft.until = CalendarDate(daysSince1970: context.today.daysSince1970 + 90)
    return draft
  }

  static let until = Field<SharingDraft>.date(
    \.until, "until", required: true, hint: "sharing.until.hint")
}

/// The form with which a person shows the records of a module to a doctor of theirs.
struct ShareRecords: RoutedForm {
  static let address: Address<Void> = "/account/sharing/records"
  static let title: Text = "sharing.records"
  static let submit: Text = "sharing.submit"
  static let cancel = SharedRecords.path
  static let form = Form(
    SharingDraft(),
    .choice(\.module, "module", required: true, hint: "sharing.module.hint", options: modules)
      .labelled("sharing.module"),
    .choice(\.reader, "reader", required: true, hint: "sharing.doctor.hint", options: doctors)
      .labelled("sharing.doctor"),
    SharingDraft.until)

  private let context: Context

  init(_ context: Context) { self.context = context }

  var start: SharingDraft { .usual(context) }

  var about: HTML? {
    get throws {
      let hint: HTML? =
        try Self.careTeam(context).isEmpty
        ? context.notice(.remark, context.aboutPerson("sharing.no-doctor")) : nil
      return "<p>\(context.text(context.aboutPerson("sharing.records.about")))</p>\(hint)"
    }
  }

  func save(_ draft: SharingDraft, in context: Context) throws -> Redirect {
    guard let module = ModuleID(draft.module) else { throw Refusal.malformed }
    return try context.share(draft, module, for: .consent)
  }

  /// Returns the modules that guardians read too and that keep records.
  @Sendable
  private static func modules(_ context: Context) -> [Choice] {
    context.server.installation.enabled.filter { member in
      guard case .records = member.module.guardianAccess else { return false }
      return !member.module.records.isEmpty
    }.map { Choice($0.module.id.rawValue, .text($0.module.title.spoken(by: $0.module.id))) }
  }

  /// Returns the doctors who treat the person.
  @Sendable
  private static func doctors(_ context: Context) throws -> [Choice] {
    try context.choices(of: careTeam(context))
  }

  private static func careTeam(_ context: Context) throws -> [ID<Person>] {
    try context.portal.find((any CareRelations).self)?.careTeam(in: context) ?? []
  }
}

/// The form with which a person shows the access log to an administrator, who investigates a
/// complaint.
struct ShareAccessLog: RoutedForm {
  static let address: Address<Void> = "/account/sharing/log"
  static let title: Text = "sharing.log"
  static let submit: Text = "sharing.submit"
  static let cancel = SharedRecords.path
  static let form = Form(
    SharingDraft(),
    .choice(\.reader, "reader", required: true, options: administrators)
      .labelled("sharing.administrator"),
    SharingDraft.until)

  private let context: Context

  init(_ context: Context) { self.context = context }

  var start: SharingDraft { .usual(context) }

  var about: HTML? { "<p>\(context.text(context.aboutPerson("sharing.log.about")))</p>" }

  func save(_ draft: SharingDraft, in context: Context) throws -> Redirect {
    try context.share(draft, AccountsModule.moduleID, for: .administration)
  }

  @Sendable
  private static func administrators(_ context: Context) throws -> [Choice] {
    try context.choices(of: Account.people(in: .administrator, on: context))
  }
}

/// The page with the people who show the visitor records.
struct SharedWithMe: RoutedPage {
  static let address: Address<Void> = "/account/shared-with-me"
  static let linkTitle: Text? = "sharing.with-me"

  private let consents: [SharingConsent]
  private let names: [ID<Person>: String]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let visitor = try context.signedIn()
    consents = try SharingConsent.all(to: visitor.person, context.server.vault, in: context)
      .filter { visitor.roles.contains($0.reason.role) }
    names = try context.names(of: consents.map(\.person))
  }

  var page: Page {
    Page(
      "sharing.with-me",
      """
      <p class="lead">\(context.text("sharing.with-me.lead"))</p>\
      \(consents.isEmpty ? context.emptyState(.document, hint: "sharing.with-me.empty") : list)
      """,
      back: AccountPage.path)
  }

  private var list: HTML { "\(rows: consents, row)" }

  private func row(_ consent: SharingConsent) -> HTML {
    let name = names[consent.person] ?? ""
    return .row(
      to: path(of: consent), "<bdi>\(name)</bdi>",
      detail: "\(context.text(context.title(of: consent))) · \(context.untilDay(consent.endsAt))",
      lead: HTML.avatar(of: name))
  }

  private func path(of consent: SharingConsent) -> Path {
    let page =
      consent.module == AccountsModule.moduleID
      ? AccessLogPage.path.description : "/\(consent.module)"
    return Path(checked: PersonInCare.prefix(consent.person) + page)
  }

  /// The card on the first page of a doctor; nil if nobody shows the doctor anything.
  @Sendable
  static func card(_ context: Context) throws -> HTML? {
    let shown = try Self(context)
    return shown.consents.isEmpty ? nil : shown.list
  }
}

extension Context {
  /// Returns the names of people who know each other by a decision of one of them.
  fileprivate func names(of people: [ID<Person>]) throws -> [ID<Person>: String] {
    Dictionary(
      uniqueKeysWithValues: try Profile.unloggedNames(of: people, server.vault, on: self)
        .map { ($0.person, $0.name) })
  }

  /// Returns the names of doctors as the lists of doctors show them, and those of other readers.
  fileprivate func readerNames(of people: [ID<Person>]) throws -> [ID<Person>: String] {
    let doctors =
      try portal.find((any CareRelations).self)?.publicNames(of: people, in: self)
      .mapValues { text($0) } ?? [:]
    let others = people.filter { doctors[$0] == nil }
    return others.isEmpty ? doctors : try doctors.merging(names(of: others)) { $1 }
  }

  /// Returns the readers among whom the person chooses, by name.
  fileprivate func choices(of people: [ID<Person>]) throws -> [Choice] {
    let others = Set(people).subtracting([try keys.person])
    return try readerNames(of: others.sorted())
      .map { Portal.NamedPerson(person: $0.key, name: $0.value) }.sortedByName()
      .map { Choice("\($0.person)", .verbatim($0.name)) }
  }

  /// Shows the records of a module to the chosen reader. Throws ``Refusal/invalid(_:_:)`` for a day
  /// that is over or too far away.
  fileprivate func share(
    _ draft: SharingDraft, _ module: ModuleID, for reason: AccessReason
  ) throws -> Redirect {
    let (person, vault) = (try keys.person, server.vault)
    guard let reader = ID<Person>(draft.reader), let until = draft.until else {
      throw Refusal.malformed
    }
    guard until >= today, let end = formats.end(of: until) else {
      throw Refusal.invalid("until", "guardians.error.past")
    }
    guard end <= now + SharingConsent.longest else {
      throw Refusal.invalid("until", "sharing.error.too-long")
    }
    guard try SharingConsent.all(from: person, vault, in: self).count < SharingConsent.most else {
      throw Refusal.conflict(Text("sharing.too-many", ["limit": "\(SharingConsent.most)"]))
    }
    let consent = SharingConsent(
      person: person, reader: reader, module: module, reason: reason, startsAt: now, endsAt: end)
    try consent.save(vault, on: self)
    try server.accountNotices.tell(reader, .shown, in: self)
    if visitor?.inCare != nil { try server.accountNotices.tell(person, .shownByGuardian, in: self) }
    return Redirect(to: SharedRecords.path).saying("sharing.said.shown")
      .changing(try words("access.sharing.began", consent))
      .logging(SecurityEvent(.consentGiven, of: [person, reader]))
  }

  /// Returns the words for a decision about records, with the reader's name, the kind of records
  /// and the last day.
  fileprivate func words(_ change: String, _ consent: SharingConsent) throws -> Text {
    let title = title(of: consent)
    // The words of another module, in each language, because the log reads its own alone.
    let records = Language.allCases.map { ($0, server.installation.string(title, in: $0)) }
    return Text(
      change, ["name": try readerNames(of: [consent.reader])[consent.reader] ?? ""],
      values: [
        "records": .name(Dictionary(uniqueKeysWithValues: records)),
        "date": .day(formats.day(of: consent.endsAt - .seconds(1))),
      ])
  }

  /// Returns the name of what is shown: the records of a module, or the access log.
  fileprivate func title(of consent: SharingConsent) -> Text {
    if consent.module == AccountsModule.moduleID {
      return Text("guardians.log").spoken(by: consent.module)
    }
    let member = server.installation.members.first { $0.module.id == consent.module }
    return member.map { $0.module.title.spoken(by: consent.module) } ?? "access.viewed"
  }
}

extension Formats {
  /// Returns the moment at which a day ends; nil beyond the calendar.
  func end(of day: CalendarDate) -> Instant? {
    LocalDateTime(CalendarDate(daysSince1970: day.daysSince1970 + 1), hour: 0, minute: 0)?
      .moments(in: timeZone).first
  }
}
