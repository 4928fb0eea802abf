import PolyclinicCore
import PolyclinicWeb

/// The second step of signing in: a code of the app. A person who needs a second factor and has
/// none sets it up here.
struct SecondStep: FormAnswer {
  static let address: Address<Void> = "/login/code"
  static var route: Route { Route(address.pattern, access: .everyone, answer: .form(SecondStep())) }

  /// Redirects to the sign-in page, because this step needs a sign-in that has begun.
  func show(_ context: Context) throws -> Response { .redirect(to: SignInPage.address.path) }

  func submit(_ context: Context) throws -> Response {
    let (server, sent) = (context.server, context.request.fields)
    let pending = try server.pendingSignIns.open(
      sent["pending"], for: .signIn(in: context), at: context.now)
    guard let pending else {
      return try showAgain(context, because: "sign-in.too-late", status: 422)
    }
    var view = SecondStepView(
      pending: pending, factors: try SecondStepView.Factors(of: pending.person, context),
      sealed: sent["pending"], next: sent["next"], interruptedForm: sent["carried"],
      context: context)
    let outcome: SecondStepAttempt.Outcome
    do {
      outcome = try SecondStepAttempt(context: context, pending: pending).run()
    } catch let fault as PasskeyFault {
      server.log(
        SecurityEvent(.passkeyRefused, of: pending.person, ["reason": fault.rawValue]), of: context)
      view.passkeyFault = fault
      return try view.response(422)
    }
    switch outcome {
    case .signedIn(let account, let signedIn):
      let target = try SignInPage.target(account, signedIn.interrupted, next: view.next, server)
      if signedIn.codes.isEmpty { return Response.redirect(to: target).with(signedIn.effects) }
      let sheet = SecondFactorPage.sheet(signedIn.codes.lines, leadingTo: target, context)
      return Response.page(sheet).with(signedIn.effects)
    case .wrong:
      view.problem = "error.code"
      return try view.response(422)
    case .wait(let span):
      view.problem = Text("error.wait", count: Int(span.count))
      return try view.response(429).adding(.init("Retry-After", String(span.count)))
    case .ended: return try showAgain(context, because: "sign-in.too-late", status: 422)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try SignInPage().showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }

  /// Returns the page of the second step after a correct password.
  static func begin(
    _ account: Account, next: String, interruptedForm: String, _ context: Context
  ) throws -> Response {
    let factors = try SecondStepView.Factors(of: account.person, context)
    let pending = PendingSignIn(
      account, enrolling: factors == [] ? .random() : nil, at: context.now)
    return try SecondStepView(
      pending: pending, factors: factors,
      sealed: context.server.pendingSignIns.seal(pending, for: .signIn(in: context)), next: next,
      interruptedForm: interruptedForm, context: context
    ).response(200)
  }
}

extension PendingSignIn.Purpose {
  /// Returns the purpose of a sign-in in the visitor's browser.
  static func signIn(in context: Context) throws -> Self {
    guard let browser = context.request.client.visit else { throw Refusal.signedOut }
    return .signIn(browser: browser)
  }
}

/// The page of the second step.
private struct SecondStepView {
  let pending: PendingSignIn
  let factors: Factors
  /// The sealed value of ``pending``, which the form sends.
  let sealed: String
  let next: String
  let interruptedForm: String
  /// The error that the page shows.
  var problem: Text?
  /// The reason why a new passkey is refused.
  var passkeyFault: PasskeyFault?
  let context: Context

  /// The second factors of an account.
  struct Factors: OptionSet {
    let rawValue: Int

    static let app = Factors(rawValue: 1)
    static let passkey = Factors(rawValue: 2)
  }

  private var isEnrolling: Bool { pending.enrolling != nil }
  /// True if the app's code is asked for, or set up.
  private var asksForCode: Bool { isEnrolling || factors.contains(.app) }

  func response(_ status: Int) throws -> Response {
    .page(
      Page(
        title,
        """
        \(summary)\(try introduction)\(asksForCode ? form(codeField, trust) : nil)\(passkey)\
        \(try newPasskey)\(recovery)\
        <p class="below"><a href="\(SignInPage.address.path)">\(text("sign-in.again-from-start"))</a></p>
        """,
        assets: [.passkeys], width: .entrance),
      status: status)
  }

  private var title: Text {
    if isEnrolling { return "two-factor.set-up" }
    return asksForCode ? "sign-in.code.title" : "passkeys.step.title"
  }

  private func text(_ text: Text) -> String { context.text(text) }

  /// The button for a passkey in place of the code; nil for an account without one.
  private var passkey: HTML? {
    guard factors.contains(.passkey) else { return nil }
    return PasskeyButton(
      next: next, interruptedForm: interruptedForm, pending: sealed, context: context
    ).html
  }

  private var summary: HTML? {
    guard let shown = problem ?? passkeyFault?.text else { return nil }
    let field: StaticString = asksForCode ? "code" : "recovery"
    let again: HTML? =
      problem == nil
      ? nil : "<ul><li><a href=\"#\(field)\">\(text("error.code.again"))</a></li></ul>"
    return """
      <div class="summary" role="alert" tabindex="-1" autofocus><h2>\(text(shown))</h2>\(again)</div>
      """
  }

  /// The text above the form: how to find the code, or how to set up the app.
  private var introduction: HTML {
    get throws {
      guard let password = pending.enrolling else {
        return "<p>\(text(asksForCode ? "sign-in.code.about" : "passkeys.step.about"))</p>"
      }
      return """
        <p>\(text("two-factor.required"))</p>\(try Enrolment(
          password: password, person: pending.person, context: context).html)
        """
    }
  }

  private func form(_ field: HTML, _ more: HTML?) -> HTML {
    """
    <form class="form" method="post" action="\(SecondStep.address.path)">\(context.hiddenFields())\
    \(begun)\(field)\(more)\(actions: context.submit("sign-in.submit"))</form>
    """
  }

  /// The hidden fields of the sign-in that has begun.
  private var begun: HTML {
    """
    <input type="hidden" name="pending" value="\(sealed)">\
    <input type="hidden" name="next" value="\(next)">\
    <input type="hidden" name="carried" value="\(interruptedForm)">
    """
  }

  /// The form that makes a passkey in place of the app; nil for an account that has a second factor,
  /// and if the portal's address allows no passkeys.
  private var newPasskey: HTML? {
    get throws {
      let server = context.server
      guard isEnrolling, server.relyingParty != nil, let browser = context.request.client.visit,
        let keys = try KeyStore(server.vault).unloggedKeys(of: pending.person, on: context)
      else { return nil }
      let form = PasskeyForm(
        action: SecondStep.address.path,
        options: try PasskeyForm.options(for: browser, server, in: context.with(keys)),
        content: begun, context: context)
      return """
        <h2>\(text("passkeys.step.instead"))</h2><p>\(text("passkeys.about"))</p>\
        <p data-no-passkeys>\(text("passkeys.unable"))</p>\(form.html)
        """
    }
  }

  private var codeField: HTML {
    let isWrong = problem != nil
    return context.field(
      "field.code", id: "code",
      """
      <p class="hint" id="code-hint">\(text("field.code.hint"))</p>\
      <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="64" \
      required aria-describedby="code-hint"\(attribute: " aria-invalid=\"true\"", if: isWrong)\
      \(attribute: " autofocus", if: !isWrong)>
      """)
  }

  private var trust: HTML {
    context.checkBox(
      "sign-in.trust", name: "trust", value: "yes", isChecked: false, hint: "sign-in.trust.hint")
  }

  /// The form for a recovery code, for people who have lost the app.
  private var recovery: HTML? {
    if isEnrolling { return nil }
    let field = context.field(
      "field.recovery_code", id: "recovery",
      """
      <input id="recovery" name="code" autocomplete="off" autocapitalize="characters" \
      spellcheck="false" maxlength="64" required dir="ltr">
      """)
    return """
      <details class="more-text"\(attribute: " open", if: !asksForCode)>\
      <summary>\(text(asksForCode ? "sign-in.no-phone" : "passkeys.step.none"))</summary>\
      <p>\(text("sign-in.no-phone.about"))</p>\(form(field, nil))</details>
      """
  }
}

extension SecondStepView.Factors {
  init(of person: ID<Person>, _ context: Context) throws {
    self = []
    if try Account.find(person, on: context)?.secondFactor != nil { insert(.app) }
    if try context.server.hasPasskey(person, at: context.now, on: context) { insert(.passkey) }
  }
}
