import PolyclinicCore
import PolyclinicWeb

/// The page for choosing how each kind of notice arrives, with the state of the e-mail address and
/// of the telephone number. The inbox always has all notices.
struct PreferencesPage: RoutedPage {
  static let address: Address<Void> = "/notifications/preferences"
  static let confirmation: Address<Void> = "/notifications/confirm"
  static let test: Address<Void> = "/notifications/test"

  private let mailAddress: MailAddressState
  private let number: NumberState
  /// The person's choices, by kind.
  private let chosen: NoticeChoices
  private let people: [NoticeSubject]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    chosen = try NoticeChoices(of: context.keys.person, on: context)
    people = try NoticeSubject.all(in: context)
    mailAddress = try MailAddressState(of: context.keys, context.server, on: context)
    number = try NumberState(of: context.keys, context.server, on: context)
  }

  /// Saves the choices. A way that the form did not offer keeps its value.
  static func save(_ context: Context) throws -> Path {
    let former = try PreferencesPage(context)
    let fields = context.request.fields
    for kind in former.kinds {
      let ticked = former.offered.filter { !fields[field(kind, $0)].isEmpty }
      try former.chosen.store(
        former.ways(of: kind).subtracting(former.offered).union(ticked), for: kind.name,
        on: context)
    }
    for subject in former.people {
      try subject.store(
        !fields[field(subject)].isEmpty, of: former.chosen.person, on: context)
    }
    return path
  }

  static func sendConfirmation(_ context: Context) throws -> Response {
    try context.redirecting { context in
      let event = try AddressConfirmation.send(context.server, in: context)
      let next = Redirect(to: path.query(["sent": "yes"]))
      return event.map { next.logging($0) } ?? next
    }
  }

  /// Sends a test message by the way that the button names.
  static func sendTest(_ context: Context) throws -> Response {
    try context.redirecting { context in
      guard let way = Notice.Kind.Way(rawValue: context.request.fields["way"]) else {
        throw Refusal.malformed
      }
      let (page, person) = (try PreferencesPage(context), try context.keys.person)
      let vault = context.server.vault
      switch way {
      case .browser: try page.testInbox(in: context)
      case .email:
        guard let address = page.mailAddress.confirmed else { throw Refusal.notFound }
        try MessageLimit.mailTest.count(to: address.hash(by: vault), of: person, in: context)
        try QueuedMail(
          "test", to: address, ["clinic": context.portal.clinic.name], leadingTo: path
        ).insert(expires: context.now + testLifetime, in: context)
      case .telephone:
        guard let number = page.number.confirmed else { throw Refusal.notFound }
        try MessageLimit.lineTest.count(to: number.hash(by: vault), of: person, in: context)
        try QueuedLine(kind: "test", recipient: number.text)
          .insert(expires: context.now + testLifetime, in: context)
      }
      return Redirect(to: path).saying(Text("test.done.\(way.rawValue)"))
    }
  }

  /// The time within which a test message is sent, because nobody waits for it any longer.
  private static let testLifetime = Seconds.minutes(15)

  private func testInbox(in context: Context) throws {
    let keys = try context.keys
    try MessageLimit.inboxTest.count(to: nil, of: keys.person, in: context)
    let text = ("test.inbox" as Text).spoken(by: NotificationsModule.moduleID)
    let stored = StoredNotice(
      kind: "\(NotificationsModule.moduleID)/test", text: text, wording: context.text(text),
      path: Self.path)
    try Inbox(keys: keys, work: context).insert(stored, byBrowser: true)
  }

  /// The notice kinds of all enabled modules.
  private var kinds: [OwnedNoticeKind] {
    context.server.installation.enabled.flatMap { member in
      member.module.noticeKinds.map { OwnedNoticeKind(module: member.module.id, kind: $0) }
    }
  }

  /// The available ways: the browser, and those for which a command is configured.
  private var offered: [Notice.Kind.Way] {
    Notice.Kind.Way.allCases.filter { $0 == .browser || context.server.site.sends.contains($0) }
  }

  private func ways(of kind: OwnedNoticeKind) -> Set<Notice.Kind.Way> {
    chosen.ways[kind.name] ?? kind.kind.ways
  }

  var page: Page {
    Page(
      "preferences.title",
      """
      <p class="lead">\(context.text("preferences.lead"))</p>\
      \(context.browserNoticesInvitation())\(panel("address.title", addressState))\
      \(numberState.map { panel("number.heading", $0) })\(form)\
      \(panel("test.inbox.title", "<p>\(context.text("test.inbox.about"))</p>\(testButton(.browser))"))
      """,
      back: InboxPage.path, assets: [.browserNotices])
  }

  private func panel(_ title: Text, _ content: HTML) -> HTML {
    "<section class=\"panel\"><h2>\(context.text(title))</h2>\(content)</section>"
  }

  private func testButton(_ way: Notice.Kind.Way) -> HTML {
    let title = context.text(Text("preferences.way.\(way.rawValue)"))
    return """
      \(actions: context.button(
        "test.send", posts: Self.test.path, with: ["way": way.rawValue], style: .secondary,
        of: title))
      """
  }

  /// The state of the telephone number and the actions for it; nil if the portal sends no lines.
  private var numberState: HTML? {
    switch number {
    case .withoutLines: return nil
    case .unusable(let written):
      let shown: HTML? = written.isEmpty ? nil : "<p><bdi>\(written)</bdi></p>"
      return """
        \(shown)<p>\(context.text(written.isEmpty ? "number.none" : "number.unusable"))</p>\
        <p><a href="/account/edit">\(context.text("number.change"))</a></p>
        """
    case .confirmed(let number):
      return """
        <p>\(number.html) \(context.badge("address.confirmed", .good))</p>\
        \(testButton(.telephone))
        """
    case .unconfirmed(let number):
      return """
        <p>\(number.html) \(context.badge("address.unconfirmed", .waiting))</p>\
        <p>\(context.text("number.why"))</p>\(actions: context.button(
          "number.send", posts: NumberForm.sending.path, style: .secondary))
        """
    }
  }

  /// The state of the address and the actions for it.
  private var addressState: HTML {
    switch mailAddress {
    case .withoutMail: return "<p>\(context.text("address.without-mail"))</p>"
    case .unusable(let text):
      return """
        <p><bdi>\(text)</bdi></p><p>\(context.text("address.unusable"))</p>\
        <p><a href="/account/edit">\(context.text("address.change"))</a></p>
        """
    case .confirmed(let address):
      return """
        <p><bdi>\(address.text)</bdi> \
        \(context.badge("address.confirmed", .good))</p>\(testButton(.email))
        """
    case .unconfirmed(let address):
      let isSent = !context.request.query["sent"].isEmpty
      let sent: HTML? = isSent ? context.notice(.outcome, "address.sent", as: .information) : nil
      return """
        \(sent)<p><bdi>\(address.text)</bdi> \
        \(context.badge("address.unconfirmed", .waiting))</p>\
        <p>\(context.text("address.why"))</p>\(actions: context.button(
          isSent ? "address.send-again" : "address.send", posts: Self.confirmation.path,
          style: .secondary))
        """
    }
  }

  private var form: HTML {
    let rows: [HTML] = kinds.map(row)
    if rows.isEmpty { return context.emptyState(.bell, "preferences.empty") }
    let heads: [HTML] = offered.map {
      "<th scope=\"col\">\(context.text(Text("preferences.way.\($0.rawValue)")))</th>"
    }
    return """
      <form method="post" action="\(Self.path)">\(context.hiddenFields())\
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("preferences.title"))">\
      <table class="data ways"><thead><tr><th scope="col">\(context.text("preferences.kind"))</th>\
      \(heads)</tr></thead><tbody>\(rows)</tbody></table></div>\(aboutOthers)\
      \(actions: context.submit("form.save"))</form>
      """
  }

  /// A kind of notice with a check box for each way.
  private func row(_ kind: OwnedNoticeKind) -> HTML {
    let title = context.text(kind.title)
    let chosen = ways(of: kind)
    let boxes: [HTML] = offered.map { way in
      let name = Self.field(kind, way)
      let label = "\(title): \(context.text(Text("preferences.way.\(way.rawValue)")))"
      return """
        <td><input type="checkbox" id="\(name)" name="\(name)" value="yes" aria-label="\(label)"\
        \(attribute: " checked", if: chosen.contains(way))></td>
        """
    }
    return "<tr><th scope=\"row\">\(title)</th>\(boxes)</tr>"
  }

  /// The people for whom the reader acts, with a check box for each; nil if there are none.
  private var aboutOthers: HTML? {
    if people.isEmpty { return nil }
    let boxes: [HTML] = people.map { subject in
      let name = Self.field(subject)
      let hint: HTML? =
        subject.hasAccount
        ? """
        <p class="hint" id="\(name)-hint">\
        \(context.text(Text("preferences.people.account", ["name": subject.name])))</p>
        """ : nil
      let described: HTML? = hint.map { _ in " aria-describedby=\"\(name)-hint\"" }
      return """
        <div class="field check"><input type="checkbox" id="\(name)" name="\(name)" value="yes"\
        \(attribute: " checked", if: subject.isHeard)\(described)>\
        <label for="\(name)"><bdi>\(subject.name)</bdi></label>\(hint)</div>
        """
    }
    return """
      <fieldset><legend>\(context.text("preferences.people"))</legend>\(boxes)</fieldset>
      """
  }

  private static func field(_ subject: NoticeSubject) -> String { "about.\(subject.person)" }

  private static func field(_ kind: OwnedNoticeKind, _ way: Notice.Kind.Way) -> String {
    "\(kind.module).\(kind.kind.name).\(way.rawValue)"
  }
}

/// A kind of notice with the module that sends it.
private struct OwnedNoticeKind {
  let module: ModuleID
  let kind: Notice.Kind

  /// The key of a person's choices, such as `appointments/reminder`.
  var name: String { "\(module)/\(kind.name)" }
  /// The title in the words of its module.
  var title: Text { kind.title.spoken(by: module) }
}
