import PolyclinicCore
import PolyclinicWeb

/// The pages for confirming one's e-mail address.
extension NotificationsModule {
  /// The panel with the state of the address and the actions for it.
  func addressPanel(_ address: MailAddressState, _ context: Context) -> HTML {
    let content: HTML
    switch address {
    case .withoutMail: content = "<p>\(context.text("address.without-mail"))</p>"
    case .unusable(let text):
      content = """
        <p><bdi>\(text)</bdi></p><p>\(context.text("address.unusable"))</p>\
        <p><a href="/account/edit">\(context.text("address.change"))</a></p>
        """
    case .confirmed(let address):
      content = """
        <p><bdi>\(address.text)</bdi> \
        \(context.badge("address.confirmed", .good))</p>
        """
    case .unconfirmed(let address):
      let isSent = !context.request.query["sent"].isEmpty
      let sent: HTML? =
        isSent ? context.notice(.outcome, "address.sent", as: .information) : nil
      content = """
        \(sent)<p><bdi>\(address.text)</bdi> \
        \(context.badge("address.unconfirmed", .waiting))</p>\
        <p>\(context.text("address.why"))</p>\(actions: context.button(
          isSent ? "address.send-again" : "address.send", posts: "/notifications/confirm",
          style: .secondary))
        """
    }
    return """
      <section class="panel"><h2>\(context.text("address.title"))</h2>\(content)</section>
      """
  }

  func sendConfirmation(_ context: Context) throws -> Response {
    try context.redirecting { context in
      let event = try AddressConfirmation.send(
        to: context.keys, server(), at: context.now, on: context)
      let next = Redirect(to: Path("preferences").query(["sent": "yes"]))
      return event.map { next.logging($0) } ?? next
    }
  }

  /// Asks for a confirmation with a button, because mail scanners follow links.
  func askToConfirm(_ context: Context) throws -> Response {
    let server = self.server()
    let works = try AddressConfirmation.works(
      context.request.parameters["token"], server, at: context.now, on: context)
    if !works { return .page(Page("confirm.title", expired(context), width: .narrow), status: 410) }
    return .page(
      Page(
        "confirm.title",
        """
        <form class="question" method="post" action="\(context.request.path)">\
        \(context.hiddenFields())\
        <input type="hidden" name="next" value="\(Self.next(context.request.query)?.description ?? "")">\
        <p>\(context.text("confirm.question", ["clinic": server.site.clinic.name]))</p>\
        \(actions: context.submit("confirm.yes"))</form>
        """, width: .narrow))
  }

  private func expired(_ context: Context) -> HTML {
    """
    <div class="panel"><p>\(context.text("confirm.expired"))</p><p>\
    <a href="/notifications/preferences">\(context.text("confirm.again"))</a></p></div>
    """
  }

  func confirm(_ context: Context) throws -> Response {
    let server = self.server()
    let person = try context.write {
      try AddressConfirmation.confirm(
        by: context.request.parameters["token"], server, at: context.now, on: $0)
    }
    guard let person else { return try askToConfirm(context) }
    let done: Path = "/notifications/confirmed"
    let next = Self.next(context.request.fields)
    return .redirect(to: next.map { done.query(["next": $0.description]) } ?? done)
      .logging(SecurityEvent(.linkUsed, of: person, ["purpose": "e-mail"]))
  }

  /// The page after a confirmation. The visitor need not be signed in. After a registration it
  /// leads on to the page for which the visitor has registered.
  func showConfirmed(_ context: Context) -> Response {
    let next = Self.next(context.request.query).map { context.button("confirmed.next", to: $0) }
    return .page(
      Page(
        "confirmed.title",
        """
        <div class="panel"><p>\(context.text("confirmed.text"))</p><p>\
        <a href="/notifications/preferences">\(context.text("inbox.preferences"))</a></p></div>\
        \(actions: next)
        """, width: .narrow))
  }

  /// Returns the page to open afterwards; nil if none was sent, or if it is not a local path.
  private static func next(_ sent: Fields) -> Path? { Path(local: sent["next"]) }
}
