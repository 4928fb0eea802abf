import PolyclinicCore
import PolyclinicWeb

/// The page for choosing how each kind of notice arrives, with the state of the e-mail address. The
/// inbox always has all notices.
struct PreferencesPage: RoutedPage {
  static let address: Address<Void> = "/notifications/preferences"
  static let confirmation: Address<Void> = "/notifications/confirm"

  private let mailAddress: MailAddressState
  /// The person's choices, by kind.
  private let chosen: NoticeChoices
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    chosen = try NoticeChoices(of: context.keys.person, on: context)
    mailAddress = try MailAddressState(of: context.keys, context.server, on: context)
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
    return path
  }

  static func sendConfirmation(_ context: Context) throws -> Response {
    try context.redirecting { context in
      let event = try AddressConfirmation.send(context.server, in: context)
      let next = Redirect(to: path.query(["sent": "yes"]))
      return event.map { next.logging($0) } ?? next
    }
  }

  /// The notice kinds of all enabled modules.
  private var kinds: [OwnedNoticeKind] {
    context.server.installation.enabled.flatMap { member in
      member.module.noticeKinds.map { OwnedNoticeKind(module: member.module.id, kind: $0) }
    }
  }

  /// The available ways. E-mail is one only if the portal sends e-mails.
  private var offered: [Notice.Kind.Way] {
    if case .withoutMail = mailAddress { return [.browser] }
    return Notice.Kind.Way.allCases
  }

  private func ways(of kind: OwnedNoticeKind) -> Set<Notice.Kind.Way> {
    chosen.ways[kind.name] ?? kind.kind.ways
  }

  var page: Page {
    Page(
      "preferences.title",
      """
      <p class="lead">\(context.text("preferences.lead"))</p>\
      \(context.browserNoticesInvitation())<section class="panel">\
      <h2>\(context.text("address.title"))</h2>\(addressState)</section>\(form)
      """,
      back: InboxPage.path, assets: [.browserNotices])
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
        \(context.badge("address.confirmed", .good))</p>
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
      \(heads)</tr></thead><tbody>\(rows)</tbody></table></div>\
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
