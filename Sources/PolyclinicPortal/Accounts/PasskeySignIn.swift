import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// The sign-in with a passkey, which counts as password and second factor: the device has checked
/// its user.
struct PasskeySignIn: FormAnswer {
  static let address: Address<Void> = "/login/passkey"
  static let options: Address<Void> = "/login/passkey/options"
  static var route: Route {
    Route(address.pattern, access: .everyone, answer: .form(PasskeySignIn()))
  }
  static var optionsRoute: Route {
    .get(options.pattern, access: .everyone, sendOptions).unattended
  }

  /// Sends a new challenge to the script of the sign-in page, which asks again before it expires.
  private static func sendOptions(_ context: Context) throws -> Response {
    let server = context.server
    guard let party = server.relyingParty else { throw Refusal.notFound }
    // The page has given the browser its cookie.
    guard let browser = context.request.client.visit else { throw Refusal.malformed }
    let challenge = try server.passkeyChallenges.make(
      for: .signIn(browser: browser), at: context.now)
    return .json(party.signInOptions(challenge: challenge))
  }

  /// Redirects to the sign-in page, which has the button.
  func show(_ context: Context) throws -> Response { .redirect(to: SignInPage.address.path) }

  func submit(_ context: Context) throws -> Response {
    var view = SignInView(sentTo: context)
    switch try PasskeyAttempt(context: context).run() {
    case .signedIn(let account, let signedIn):
      let target = try SignInPage.target(
        account, signedIn.interrupted, next: view.next, context.server)
      return .redirect(to: target).with(signedIn.effects)
    case .refused(let refused):
      view.problem = refused.fault.text
      if refused.fault == .unknown { view.unknownPasskey = refused.credentialID }
      return try view.response(422)
    case .suspended:
      view.problem = "error.suspended"
      return try view.response(422)
    case .wait(let span):
      view.problem = Text("error.wait", count: Int(span.count))
      return try view.response(429).adding(.init("Retry-After", String(span.count)))
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try SignInPage().showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }
}

/// The button that signs in with a passkey. Its script shows it in browsers that have passkeys.
struct PasskeyButton {
  let next: String
  let interruptedForm: String
  /// The sealed first step of a sign-in, whose account the passkey must be of; empty for none.
  var pending = ""
  /// The id of a passkey that the portal no longer has, for the browser to forget.
  var unknownPasskey: [UInt8]?
  let context: Context

  /// The form; nil if the portal's address allows no passkeys.
  var html: HTML? {
    guard let party = context.server.relyingParty else { return nil }
    let unknown: HTML? = unknownPasskey.map {
      " data-host=\"\(party.host)\" data-unknown=\"\(Base64.url.text($0))\""
    }
    let first: HTML? =
      pending.isEmpty ? nil : "<input type=\"hidden\" name=\"pending\" value=\"\(pending)\">"
    return """
      <form class="below" method="post" action="\(PasskeySignIn.address.path)" \
      data-passkey="sign-in" data-options="\(PasskeySignIn.options.path.description)"\(unknown) hidden>\
      \(context.hiddenFields())<input type="hidden" name="next" value="\(next)">\
      <input type="hidden" name="carried" value="\(interruptedForm)">\
      \(first)<input type="hidden" name="credential" value="">\
      \(context.passkeyFailure("passkeys.failed.sign-in"))\
      \(context.submit("passkeys.sign-in", style: .secondary))</form>
      """
  }
}

extension Context {
  /// Returns the message that the script shows if the browser gives no passkey.
  func passkeyFailure(_ message: Text) -> HTML {
    "<p class=\"error\" role=\"alert\" data-failure hidden>\(text(message))</p>"
  }
}

extension Page.Asset {
  /// The script that asks the browser for passkeys.
  static let passkeys = Page.Asset(www: "scripts/passkeys.js")
}
