import PolyclinicCore
import PolyclinicWeb

/// A form with which the reception makes a one-time link for somebody who has shown proof at the
/// desk. It leads back to the page that opened it.
protocol ReceptionLinkForm: RoutedForm where Draft == Proof, Value == ID<Person> {
  /// The sentence above the new link.
  static var shown: Text { get }
  /// The label of the check box that confirms the proof.
  static var proof: Text { get }
  /// The time for which the link works; by default that of a link to an account.
  static var lifetime: Seconds { get }
  /// True if the pages say when the patient was born and who acts for them already; false by
  /// default.
  static var tellsChild: Bool { get }
}

/// The confirmation of the reception that it has seen proof.
struct Proof: Sendable {
  fileprivate var isProved = false
}

extension ReceptionLinkForm {
  static var access: Access { .role(.receptionist) }
  static var submit: Text { "guardians.make-link" }
  static var cancel: Path { "/" }
  static var proof: Text { "field.is_proved" }
  static var lifetime: Seconds { OneTimeLink.lifetime }
  static var tellsChild: Bool { false }
  static var form: Form<Proof> {
    Form(Proof(), .check(\.isProved, "is_proved", required: true).labelled(proof))
  }
  static var route: Route {
    Route(Self.self).showingSecret(
      on: ReceptionLinkSheet(
        title: title, about: shown, address: address, lifetime: lifetime, tellsChild: tellsChild
      ).page
    )
    .keeping(Context.receptionOriginField)
  }

  static func origin(_ context: Context) -> Path? { context.receptionOrigin }

  /// Returns the sentence with the name of a patient, who finds an entry in their access log.
  fileprivate func about(
    _ text: Text, of person: ID<Person>, _ context: Context
  ) throws -> HTML? {
    let found = try context.write {
      try $0.portal.people.found(person, for: .reception, in: $0)
    }
    return about(text, of: found?.name ?? "", context)
  }

  /// Returns the sentence with the name, and the hidden field with the way back.
  fileprivate func about(_ text: Text, of name: String, _ context: Context) -> HTML {
    "\(context.receptionOriginInput)<p>\(context.text(Text(text.key, ["name": name])))</p>"
  }
}

/// The page with a new link of the reception, which no other page can show.
private struct ReceptionLinkSheet: Sendable {
  let title: Text
  /// The sentence with the name of the patient.
  let about: Text
  /// The address of the form, which has the patient's number.
  let address: Address<ID<Person>>
  /// The time for which the link works.
  let lifetime: Seconds
  /// True if the page says when the patient was born and who acts for them already.
  let tellsChild: Bool

  @Sendable
  func page(_ link: String, _ context: Context) throws -> Page {
    let code = try context.qrCode(of: link, labelled: "desk-password.qr")
    // Not logged again, because the form has logged it.
    let person = try address.value(in: context)
    let name = try context.name(ofGuardianshipWith: person) ?? ""
    let about = Text(about.key, ["name": name])
    let facts: HTML? = try tellsChild ? context.facts(aboutChild: person) : nil
    // On paper, too, which is read another day.
    let until = ["date": context.formats.dateTime(context.now + lifetime)]
    return Page(
      title,
      """
      <section class="panel" role="status"><p>\(context.text(about))</p>\
      \(facts)\(code)\
      <p><code class="secret" id="secret" dir="ltr">\(link)</code></p>\
      <p>\(context.text("guardians.link.until", until))</p>\
      \(actions: context.copyButton("tokens.copy", of: "secret", copied: "tokens.copied"))\
      \(context.printAction("guardians.link.print", style: .secondary))</section>\
      \(actions: context.button("guardians.link.done", to: context.receptionOrigin ?? "/"))
      """,
      assets: [.copy, .print])
  }
}

extension Context {
  fileprivate static let receptionOriginField = "next"

  /// The page that opened a form of the reception; nil for none of this portal.
  fileprivate var receptionOrigin: Path? {
    Path(local: request.sentFields[Self.receptionOriginField])
  }

  /// The hidden field with the way back.
  fileprivate var receptionOriginInput: HTML? {
    receptionOrigin.map {
      """
      <input type="hidden" name="\(Self.receptionOriginField)" value="\($0.description)">
      """
    }
  }

  /// Returns the work on a patient of the visitor's reception, who finds an entry in their access
  /// log; nil for anybody else, as for a number of nobody, so that numbers tell nothing.
  fileprivate func patientOfReception(_ person: ID<Person>) throws -> Work? {
    do {
      return try of([person], for: .reception, reading: "access.viewed.name")[person]
    } catch Refusal.forbidden { return nil }
  }

  /// Returns the redirect that shows a new link once, with the events of making it.
  fileprivate func redirect(showing link: Path, madeBy administrator: Administrator) -> Redirect {
    var redirect = Redirect(to: "/").showing("\(portal.origin)\(link)")
    redirect.effects.events += administrator.events
    return redirect
  }

  /// Returns the birth date of a child, and those who act for the child already, so that nobody is
  /// connected with another child of the same name. It logs nothing.
  fileprivate func facts(aboutChild child: ID<Person>) throws -> HTML {
    let born = try birthDate(ofGuardianshipWith: child).map { formats.date($0) } ?? ""
    let names = try Guardianship.all(for: child, server.vault, on: self).filter {
      $0.basis == .parentalResponsibility && $0.scope(at: now) != nil
    }.compactMap { try name(ofGuardianshipWith: $0.guardian) }
    let guardians = names.isEmpty ? text("guardians.acting.none") : names.joined(separator: ", ")
    return facts([
      HTML.Fact("field.birth_date", text: born), HTML.Fact("guardians.acting", text: guardians),
    ])
  }

  /// Returns a person without an account whose data the reception may open. Throws
  /// ``Refusal/notFound`` for anybody else. It logs no access.
  fileprivate func enteredAtReception(_ person: ID<Person>) throws -> Portal.Newcomer {
    let entered = try portal.people.entered(person, for: .reception, in: self)
    guard let entered else { throw Refusal.notFound }
    return entered
  }
}

/// The question whether the reception ends what its own link gave a guardian, within a week: the
/// wrong person may have used it.
struct DisconnectGuardian: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/disconnect"
  static let access = Access.role(.receptionist)
  static let title: Text = "guardians.disconnect"
  static let submit: Text = "guardians.disconnect.yes"
  static let cancel: Path = "/"
  static let isQuestion = true
  static var route: Route {
    Route(Self.self).keeping(Context.guardianField, Context.receptionOriginField)
  }

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the right that the link gave. Throws ``Refusal/notFound`` for any other right, after the
  /// week, and after a further decision about it.
  init(_ context: Context) throws {
    self.context = context
    let child = try Self.address.value(in: context)
    guard let found = try context.namedGuardianship(for: child),
      found.isGivenByClinicLink(at: context.now)
    else { throw Refusal.notFound }
    guardianship = found
  }

  static func origin(_ context: Context) -> Path? { context.receptionOrigin }

  /// The names, after an entry in the access log of both. Throws ``Refusal/notFound`` for a patient
  /// of another reception.
  var about: HTML? {
    get throws {
      let (person, guardian) = (guardianship.person, guardianship.guardian)
      let names = try context.write { context -> [String: String] in
        guard let work = try context.patientOfReception(person) else { throw Refusal.notFound }
        if let keys = try KeyStore(context.server.vault).unloggedKeys(of: guardian, on: context) {
          try AccessLog.record(
            [keys], for: .reception,
            reading: Text("access.viewed.guardian").spoken(by: "account"), in: context)
        }
        return [
          "guardian": try context.name(ofGuardianshipWith: guardian) ?? "",
          "name": try context.portal.people.name(in: work) ?? "",
        ]
      }
      return """
        \(context.guardianInput(guardianship))\(context.receptionOriginInput)\
        <p>\(context.text(Text("guardians.disconnect.about", names)))</p>\
        \(try context.namesOfInvited(by: guardianship))
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let ended = [guardianship] + (try context.invited(by: guardianship))
    do {
      for one in ended {
        let name = try context.name(ofGuardianshipWith: one.guardian) ?? ""
        try context.recordChange(
          Text("access.guardian.disconnected", ["name": name]), of: [one.person], for: .reception)
      }
    } catch Refusal.forbidden {
      // As for a number of nobody, so that numbers tell nothing.
      throw Refusal.notFound
    }
    return try ended.reduce(Redirect(to: context.receptionOrigin ?? Self.cancel)) {
      $0.logging(try context.endForClinic($1, as: .ended, recording: .disconnectGuardian))
    }
  }
}

/// The form with which the reception makes a link for a new password, for a patient who has
/// forgotten theirs, gets none by e-mail, and has shown at the desk who they are.
struct PatientPasswordLink: ReceptionLinkForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/password"
  static let title: Text = "desk-password.title"
  static let shown: Text = "desk-password.shown"

  private let person: ID<Person>
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    person = try Self.address.value(in: context)
  }

  var about: HTML? {
    get throws {
      let name = try context.write { try patientName(in: $0) }
      return about("desk-password.about", of: name, context)
    }
  }

  /// Makes the link, of which the patient is told. Its page asks for a code if the account does.
  func save(_: Proof, in context: Context) throws -> Redirect {
    _ = try patientName(in: context)
    var administrator = try Administrator(context)
    let link = try administrator.makePasswordLink(
      for: person, because: .reception, telling: context.server.accountNotices, on: context)
    return context.redirect(showing: link, madeBy: administrator)
  }

  /// Returns the name of the patient, who finds an entry in their access log.
  ///
  /// Throws ``Refusal/notFound`` for somebody who is no patient of the visitor's reception or has no
  /// account, and ``Refusal/conflict(_:)`` for staff, whose accounts open the data of others, and
  /// for a patient who gets a link by e-mail without the reception.
  private func patientName(in context: Context) throws -> String {
    let server = context.server
    guard let work = try context.patientOfReception(person),
      let account = try Account.find(person, on: context)
    else { throw Refusal.notFound }
    try account.requireGenuine(server.vault)
    if account.isStaff { throw Refusal.conflict("desk-password.staff") }
    if server.site.sendsMail,
      try MailAddressState(of: work.keys, server, on: context).confirmed != nil
    {
      throw Refusal.conflict("desk-password.by-mail")
    }
    return try context.portal.people.name(in: work) ?? ""
  }
}

/// The form with which the reception makes a link to an account, for a patient without one who has
/// shown at the desk who they are.
struct PatientInvitation: ReceptionLinkForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/invitation"
  static let title: Text = "desk-account.title"
  static let shown: Text = "desk-account.shown"

  private let person: ID<Person>
  private let context: Context

  /// Finds a patient of the visitor's reception. Throws ``Refusal/notFound`` for a person with an
  /// account, and ``Refusal/conflict(_:)`` for one who is too young or whose birth date is unknown.
  init(_ context: Context) throws {
    self.context = context
    person = try Self.address.value(in: context)
    guard let born = try context.enteredAtReception(person).birthDate else {
      throw Refusal.conflict("desk-account.no-birth-date")
    }
    guard GuardianshipAges.allowAccount(born: born, at: context.now, in: context.formats.timeZone)
    else { throw Refusal.conflict(GuardianshipAges.tooYoung) }
  }

  var about: HTML? { get throws { try about("desk-account.about", of: person, context) } }

  /// Makes the link, in place of an earlier one. Those who act for a child are told.
  func save(_: Proof, in context: Context) throws -> Redirect {
    try context.recordChange(
      Text("access.desk-invited").spoken(by: "account"), of: [person], for: .reception)
    var administrator = try Administrator(context)
    let link = try administrator.makeInvitation(for: person, on: context)
    try context.tellGuardians(of: person, that: .childInvited)
    return context.redirect(showing: link, madeBy: administrator)
  }
}

/// The form with which the reception connects a child without an account with a guardian who has
/// shown proof.
struct ConnectGuardian: ReceptionLinkForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/connect"
  static let title: Text = "guardians.connect"
  static let shown: Text = "guardians.connect.shown"
  static let proof: Text = "field.is_proved.guardian"
  static let lifetime = GuardianInvitation.lifetime
  static let tellsChild = true

  private let person: ID<Person>
  private let context: Context

  /// Finds a child of the visitor's reception. Throws ``Refusal/notFound`` for a person with an
  /// account, and ``Refusal/conflict(_:)`` for one whose birth date is unknown or who is of age.
  init(_ context: Context) throws {
    self.context = context
    person = try Self.address.value(in: context)
    let end = try context.enteredAtReception(person).birthDate.flatMap {
      GuardianshipAges.reached(
        context.server.site.guardianship.end, born: $0, in: context.formats.timeZone)
    }
    guard let end, end > context.now else {
      throw Refusal.conflict("guardians.error.no-child")
    }
  }

  /// The sentence and the facts, after an entry in the access logs of the child and of those who act
  /// for the child.
  var about: HTML? {
    get throws {
      let sentence = try about("guardians.connect.about", of: person, context)
      try context.write { context in
        guard let keys = try KeyStore(context.server.vault).unloggedKeys(of: person, on: context)
        else { return }
        _ = try context.portal.people.guardians(
          for: .reception, from: Self.cancel, in: context.with(keys))
      }
      return "\(sentence)\(try context.facts(aboutChild: person))"
    }
  }

  func save(_: Proof, in context: Context) throws -> Redirect {
    try context.recordChange(
      Text("access.guardian.invited").spoken(by: "account"), of: [person], for: .reception)
    let staff = try context.signedIn().person
    try AuditEntry(.connectGuardian, by: .person(staff), at: context.now, subject: person)
      .insert(on: context)
    let token = try GuardianInvitation.make(
      .proved, by: staff, for: person, basis: .parentalResponsibility,
      scope: .all, context.server.vault, in: context)
    return Redirect(to: "/")
      .showing("\(context.portal.origin)\(AcceptGuardianship.path(token.text))")
  }
}
