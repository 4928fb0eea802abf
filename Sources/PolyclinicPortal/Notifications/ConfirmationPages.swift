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
    let server = self.server()
    let keys = try context.keys
    let event = try context.database.write { connection -> SecurityEvent? in
      guard
        case .unconfirmed(let address) = try MailAddressState(of: keys, server, on: connection)
      else { return nil }
      let hash = address.hash(by: server.vault)
      let path = try AddressConfirmation.makeLink(
        for: keys.person, hash, at: context.now, on: connection)
      let clinic = ["clinic": server.site.clinic.name]
      let mail = QueuedMail(
        id: [UInt8].random(16).hexadecimalText, recipient: address.text,
        subject: Text("mail.confirm.subject", clinic).spoken(by: id),
        body: Text("mail.confirm.body", clinic).spoken(by: id), path: path)
      try mail.insert(
        expires: context.now + AddressConfirmation.lifetime, by: keys, at: context.now,
        on: connection)
      return SecurityEvent(.linkMade, of: keys.person, ["purpose": "e-mail"])
    }
    let next = Response.redirect(to: Path("/notifications/preferences").query(["sent": "yes"]))
    return event.map(next.logging) ?? next
  }

  /// Asks for a confirmation with a button, because mail scanners follow links.
  func askToConfirm(_ context: Context) throws -> Response {
    let server = self.server()
    let works = try context.database.read {
      try AddressConfirmation.works(
        context.request.parameters["token"], server, at: context.now, on: $0)
    }
    if !works { return .page(Page("confirm.title", expired(context), width: .narrow), status: 410) }
    return .page(
      Page(
        "confirm.title",
        """
        <form class="question" method="post" action="\(context.request.path)">\
        \(context.hiddenFields())\
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
    let person = try context.database.write {
      try AddressConfirmation.confirm(
        by: context.request.parameters["token"], server, at: context.now, on: $0)
    }
    guard let person else { return try askToConfirm(context) }
    return .redirect(to: "/notifications/confirmed")
      .logging(SecurityEvent(.linkUsed, of: person, ["purpose": "e-mail"]))
  }

  /// The page after a confirmation. The visitor need not be signed in.
  func showConfirmed(_ context: Context) -> Response {
    .page(
      Page(
        "confirmed.title",
        """
        <div class="panel"><p>\(context.text("confirmed.text"))</p><p>\
        <a href="/notifications/preferences">\(context.text("inbox.preferences"))</a></p></div>
        """, width: .narrow))
  }
}
