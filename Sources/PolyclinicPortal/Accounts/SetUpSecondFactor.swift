import PolyclinicCore
import PolyclinicDocuments
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// The form that sets up a second factor, followed by the page with its recovery codes.
struct SetUpSecondFactor: RoutedForm {
  static let address: Address<Void> = "/account/two-factor/set-up"
  static let title: Text = "two-factor.set-up"
  static let submit: Text = "two-factor.set-up.submit"
  static let cancel = SecondFactorPage.path
  static let preparesOnce = true
  static var route: Route { Route(Self.self).showingSecret(on: SecondFactorPage.sheet) }

  struct Draft: Sendable {
    var currentPassword = CurrentPassword()
    var code = ""
    fileprivate var app: SecondFactor.ProvenApp?
  }

  static let form = Form<Draft>(
    Draft(),
    .text(
      \.code, "code", required: true, limit: 64, autocomplete: "one-time-code",
      hint: "field.code.hint"),
    .part(\.currentPassword, CurrentPassword.form))

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// The steps with a new secret, or with the secret that the form was sent with.
  var about: HTML? {
    get throws {
      let person = try context.keys.person
      let known = try sent
      guard let account = try Account.find(person, on: context) else { throw Refusal.notFound }
      if account.secondFactor != nil { throw Refusal.conflict("error.second-factor-there") }
      let pending = known ?? PendingSignIn(account, enrolling: .random(), at: context.now)
      guard let password = pending.enrolling else { throw Refusal.notFound }
      return """
        \(try Enrolment(password: password, person: person, context: context).html)\
        <input type="hidden" name="pending" value="\(
          try context.server.pendingSignIns.seal(pending, for: purpose))">
        """
    }
  }

  /// Checks password and code. Throws ``Refusal/invalid(_:_:)`` for `code` if it does not match the
  /// secret in the form.
  func prepare(_ draft: inout Draft, in context: Context) throws {
    try draft.currentPassword.prove(in: context)
    guard let password = try sent?.enrolling else {
      throw Refusal.invalid("code", "error.code.too-late")
    }
    guard let step = password.step(of: draft.code, at: context.now, after: 0) else {
      throw Refusal.invalid("code", "error.code")
    }
    draft.app = SecondFactor.ProvenApp(password: password, step: step)
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    guard let app = draft.app else { throw Refusal.notFound }
    let person = try context.keys.person
    try draft.currentPassword.requireStill(of: person, on: context)
    let codes = try context.server.enrol(app, from: context.request.client, in: context)
    return Redirect(to: SecondFactorPage.path).showing(codes.lines)
      .logging(SecurityEvent(.secondFactorSet, of: person))
  }

  /// The value that the form was sent with; nil if it is no set-up of this person and session.
  private var sent: PendingSignIn? {
    get throws {
      let pending = try context.server.pendingSignIns.open(
        context.request.fields["pending"], for: purpose, at: context.now)
      guard pending?.enrolling != nil, pending?.person == (try context.keys.person) else {
        return nil
      }
      return pending
    }
  }

  /// The purpose of a set-up in the visitor's session.
  private var purpose: PendingSignIn.Purpose {
    get throws {
      guard let session = context.request.client.session else { throw Refusal.signedOut }
      return .setUp(session: session)
    }
  }
}

/// The steps for adding the secret to an app: a QR code to scan, and the same secret to type.
struct Enrolment {
  let password: OneTimePassword
  let person: ID<Person>
  let context: Context

  var html: HTML {
    get throws {
      """
      <ol class="steps"><li>\(context.text("two-factor.step.app"))</li>\
      <li>\(context.text("two-factor.step.scan"))\(try code)\
      <p>\(context.text("two-factor.step.type"))</p>\
      <p><code class="secret" dir="ltr">\(Base32.grouped(password.key))</code></p></li>\
      <li>\(context.text("two-factor.step.code"))</li></ol>
      """
    }
  }

  /// The QR code; nil if this server cannot draw one, because the secret can be typed instead.
  private var code: HTML? {
    get throws {
      let address = password.address(issuer: issuer, login: try login)
      return try context.qrCode(of: address, labelled: "two-factor.qr")
    }
  }

  /// The clinic's name; the host name if the clinic's name is not ASCII or has a colon, because not
  /// every app shows other characters.
  private var issuer: String {
    let site = context.server.site
    let name = site.clinic.name
    return name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ":") } ? name : site.origin.host
  }

  private var login: String {
    get throws {
      let profile = try KeyStore(context.server.vault).unloggedKeys(of: person, on: context)
        .flatMap { try Profile.find(by: $0, on: context) }
      return profile?.login ?? ""
    }
  }
}

extension Context {
  /// Returns the QR code of a text; nil if this server cannot draw one.
  func qrCode(of text: String, labelled label: Text) throws -> HTML? {
    guard DocumentDecoder.problem == nil else { return nil }
    return try DocumentDecoder.draw(Array(text.utf8)).drawing.map {
      "<div class=\"qr\">\($0.grid.svg(label: self.text(label)))</div>"
    }
  }
}
