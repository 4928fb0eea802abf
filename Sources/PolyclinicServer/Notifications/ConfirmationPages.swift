import PolyclinicCore

/// How somebody has their e-mail address confirmed.
extension NotificationsModule {
  /// What is known of the address, and what can be done about it.
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
        <span class="badge ok">\(context.text("address.confirmed"))</span></p>
        """
    case .unconfirmed(let address):
      let isSent = !context.request.query["sent"].isEmpty
      let sent: HTML? =
        isSent
        ? "<div class=\"notice\" role=\"status\"><p>\(context.text("address.sent"))</p></div>" : nil
      content = """
        \(sent)<p><bdi>\(address.text)</bdi> \
        <span class="badge waiting">\(context.text("address.unconfirmed"))</span></p>\
        <p>\(context.text("address.why"))</p><div class="actions">\
        \(context.button(
          isSent ? "address.send-again" : "address.send", posts: "/notifications/confirm",
          style: "button secondary"))</div>
        """
    }
    return """
      <section class="panel"><h2>\(context.text("address.title"))</h2>\(content)</section>
      """
  }

  func sendConfirmation(_ context: Context) throws -> Response {
    let front = try context.front()
    let keys = try context.keys
    try context.database.write { connection in
      guard
        case .unconfirmed(let address) = try MailAddressState(of: keys, front, on: connection)
      else { return }
      let hash = AddressConfirmation.hash(address, front.vault)
      let path = try AddressConfirmation.makeLink(
        for: keys.person, hash, at: context.now, on: connection)
      context.visit?.record(SecurityEvent(.linkMade, of: keys.person, ["purpose": "e-mail"]))
      let clinic = ["clinic": front.site.clinic.name]
      let mail = QueuedMail(
        id: [UInt8].random(16).hexadecimalText, recipient: address.text,
        subject: Text("mail.confirm.subject", clinic).spoken(by: id),
        body: Text("mail.confirm.body", clinic).spoken(by: id), path: path)
      try mail.insert(
        expires: context.now + AddressConfirmation.lifetime, by: keys, at: context.now,
        on: connection)
    }
    return .redirect(to: Path("/notifications/preferences").query(["sent": "yes"]))
  }

  /// A question, since programs that look for harmful mail follow its links.
  func askToConfirm(_ context: Context) throws -> Response {
    let front = try context.front()
    let works = try context.database.read {
      try AddressConfirmation.works(
        context.request.parameters["token"], front, at: context.now, on: $0)
    }
    if !works { return .page(Page("confirm.title", expired(context), width: .narrow), status: 410) }
    return .page(
      Page(
        "confirm.title",
        """
        <form class="question" method="post" action="\(context.request.path)">\
        \(context.hiddenFields())\
        <p>\(context.text("confirm.question", ["clinic": front.site.clinic.name]))</p>\
        <p class="actions"><button class="button">\(context.text("confirm.yes"))</button></p></form>
        """, width: .narrow))
  }

  private func expired(_ context: Context) -> HTML {
    """
    <div class="panel"><p>\(context.text("confirm.expired"))</p><p>\
    <a href="/notifications/preferences">\(context.text("confirm.again"))</a></p></div>
    """
  }

  func confirm(_ context: Context) throws -> Response {
    let front = try context.front()
    let person = try context.database.write {
      try AddressConfirmation.confirm(
        by: context.request.parameters["token"], front, at: context.now, on: $0)
    }
    guard let person else { return try askToConfirm(context) }
    context.visit?.record(SecurityEvent(.linkUsed, of: person, ["purpose": "e-mail"]))
    return .redirect(to: "/notifications/confirmed")
  }

  /// For whoever has confirmed, signed in here or not.
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
