import PolyclinicCore
import PolyclinicWeb

/// The form with which the reception makes a link for a new password, for a patient who has
/// forgotten theirs, gets none by e-mail, and has shown at the desk who they are.
struct PatientPasswordLink: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/password"
  static let access = Access.role(.receptionist)
  static let title: Text = "desk-password.title"
  static let submit: Text = "guardians.make-link"
  static let cancel: Path = "/"
  static var route: Route { Route(Self.self).showingSecret(on: sheet) }

  struct Draft: Sendable {
    var isProved = false
  }

  static let form = Form<Draft>(Draft(), .check(\.isProved, "is_proved", required: true))

  private let person: ID<Person>
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    person = try Self.address.value(in: context)
  }

  var about: HTML? {
    get throws {
      let name = try context.write { try patientName(in: $0) }
      return "<p>\(context.text("desk-password.about", ["name": name]))</p>"
    }
  }

  /// Makes the link, of which the patient is told. Its page asks for a code if the account does.
  func save(_: Draft, in context: Context) throws -> Redirect {
    _ = try patientName(in: context)
    var administrator = try Administrator(context)
    let link = try administrator.makePasswordLink(
      for: person, because: .reception, telling: context.server.accountNotices, on: context)
    var redirect = Redirect(to: "/").showing("\(context.portal.origin)\(link)")
    redirect.effects.events += administrator.events
    return redirect
  }

  /// Returns the name of the patient, who finds an entry in their access log.
  ///
  /// Throws ``Refusal/notFound`` for somebody who is no patient of the visitor's reception or has no
  /// account, and ``Refusal/conflict(_:)`` for staff, whose accounts open the data of others, and
  /// for a patient who gets a link by e-mail without the reception.
  private func patientName(in context: Context) throws -> String {
    let server = context.server
    guard let work = try work(in: context),
      let account = try Account.find(person, on: context)
    else { throw Refusal.notFound }
    try account.requireGenuine(server.vault)
    guard account.roles.subtracting([.patient]).isEmpty, account.wantedRole == nil else {
      throw Refusal.conflict("desk-password.staff")
    }
    if server.site.sendsMail,
      try MailAddressState(of: work.keys, server, on: context).confirmed != nil
    {
      throw Refusal.conflict("desk-password.by-mail")
    }
    return try context.portal.people.name(in: work) ?? ""
  }

  private func work(in context: Context) throws -> Work? {
    do {
      return try context.of([person], for: .reception, reading: "access.viewed.name")[
        person]
    } catch Refusal.forbidden {
      // As for a number of nobody, so that numbers tell nothing.
      return nil
    }
  }

  /// Returns the page with the link, which no other page can show.
  @Sendable
  private static func sheet(_ link: String, _ context: Context) throws -> Page {
    let code = try context.qrCode(of: link, labelled: "desk-password.qr")
    return Page(
      title,
      """
      <section class="panel" role="status"><p>\(context.text("desk-password.shown"))</p>\(code)\
      <p><code class="secret" id="secret" dir="ltr">\(link)</code></p>\
      \(actions: context.copyButton("tokens.copy", of: "secret", copied: "tokens.copied"))\
      </section>\(actions: context.button("guardians.link.done", to: "/"))
      """,
      assets: [.copy])
  }
}
