import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// The way to a new passkey. A session that has just begun leads on at once. Any other one must give
/// the password again, and a code if the account has codes, because a passkey counts as both.
struct AddPasskey: RoutedForm {
  static let address: Address<Void> = "/account/passkeys/new"
  static let title: Text = "passkeys.new"
  static let submit: Text = "passkeys.continue"
  static let form = Form<SecondFactorProof>(
    SecondFactorProof(), .part(\.currentPassword, CurrentPassword.form))
  static let cancel = PasskeyList.path
  static let preparesOnce = true
  static var route: Route {
    Route(
      address.pattern, access: access,
      answer: .form(
        VariedForm(Self.self, adding: [SecondFactorProof.codeField(\.code)], named: "code") {
          try $0.hasSecondFactor
        })
    ).showingSecret(on: NewPasskey.page)
  }
  /// The time after a sign-in in which nothing is asked for again.
  private static let freshFor = Seconds.minutes(5)

  private let context: Context

  /// Throws ``Refusal/notFound`` if the portal's address allows no passkeys.
  init(_ context: Context) throws {
    guard context.server.relyingParty != nil else { throw Refusal.notFound }
    self.context = context
  }

  var before: Response? {
    get throws {
      guard try isFresh else { return nil }
      return .page(NewPasskey.page(try options(context), context))
    }
  }

  var about: HTML? { "<p>\(context.text("passkeys.new.password"))</p>" }

  private var isFresh: Bool {
    get throws {
      guard let session = context.request.client.session,
        let begun = try context.server.sessions.beginning(of: session, on: context)
      else { return false }
      return begun <= context.now && context.now - begun <= Self.freshFor
    }
  }

  func prepare(_ proof: inout SecondFactorProof, in context: Context) throws {
    try proof.currentPassword.prove(in: context)
    try CodeAttempt(context: context).require(proof.code, of: context.keys.person)
  }

  func save(_ proof: SecondFactorProof, in context: Context) throws -> Redirect {
    try proof.currentPassword.requireStill(of: context.keys.person, on: context)
    return Redirect(to: PasskeyList.path).showing(try options(context))
  }

  /// Returns the options for the script, whose challenge allows this session to add a passkey.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the person has as many as possible.
  private func options(_ context: Context) throws -> String {
    let (server, person) = (context.server, try context.keys.person)
    guard let party = server.relyingParty, let session = context.request.client.session else {
      throw Refusal.signedOut
    }
    let passkeys = try Passkey.all(in: context)
    guard passkeys.count < Passkey.most else { throw NewPasskey.tooMany }
    let profile = try Profile.own(in: context)
    let handle = try Passkey.handle(in: context) ?? Passkey.newHandle()
    let challenge = try server.passkeyChallenges.make(
      for: .adding(person, session: session), handle: handle, at: context.now)
    let options = party.creationOptions(
      for: RelyingParty.User(
        handle: handle, login: profile.login, name: profile.displayName),
      portalName: server.site.clinic.name, challenge: challenge, besides: passkeys)
    return String(decoding: options.encoded, as: UTF8.self)
  }
}

/// The page on which the device makes a passkey, and its submission.
struct NewPasskey: FormAnswer {
  static let address: Address<Void> = "/account/passkeys/create"
  static var route: Route { Route(address.pattern, access: .signedIn, answer: .form(NewPasskey())) }
  static let tooMany = Refusal.conflict(
    Text("passkeys.too-many", ["limit": String(Passkey.most)]))
  private static let nameLimit = 100

  /// Returns the page with these options for the script.
  static func page(_ options: String, _ context: Context) -> Page {
    let name = context.request.client.device
    let form: HTML = """
      <form class="form" method="post" action="\(address.path)" data-passkey="create" \
      data-options="\(options)" hidden>\(context.hiddenFields())\
      <input type="hidden" name="credential" value="">\
      \(context.field(
        "passkeys.name", id: "name",
        """
        <p class="hint" id="name-hint">\(context.text("passkeys.name.hint"))</p>\
        <input id="name" name="name" value="\(name)" autocomplete="off" maxlength="\(nameLimit)" \
        aria-describedby="name-hint">
        """))\
      \(context.passkeyFailure("passkeys.failed.new"))\
      \(actions: context.submit("passkeys.create"))</form>
      """
    return Page(
      "passkeys.new",
      """
      <p class="lead">\(context.text("passkeys.new.about"))</p>\
      <p data-no-passkeys>\(context.text("passkeys.unable"))</p>\(form)
      """,
      back: PasskeyList.path, assets: [.passkeys])
  }

  /// Redirects to the page that allows a new passkey.
  func show(_ context: Context) throws -> Response { .redirect(to: AddPasskey.path) }

  func submit(_ context: Context) throws -> Response {
    let (server, person) = (context.server, try context.keys.person)
    guard let party = server.relyingParty else { throw Refusal.notFound }
    guard let session = context.request.client.session else { throw Refusal.signedOut }
    do {
      let response = try PasskeyResponse(context.request.fields["credential"])
      let handle = try server.passkeyChallenges.spend(
        response.challenge, for: .adding(person, session: session), at: context.now,
        in: server.database)
      let content = try party.created(by: response, named: name(context))
      return try context.redirecting { context in
        guard try Passkey.all(in: context).count < Passkey.most else { throw Self.tooMany }
        try Passkey.keep(handle: handle, in: context)
        try Passkey.insert(content, for: party, server.vault, in: context)
        try server.accountNotices.tell(person, .passkeyAdded, in: context)
        return Redirect(to: PasskeyList.path).saying("passkeys.added")
          .logging(SecurityEvent(.passkeyAdded, of: person))
      }
    } catch let fault as PasskeyFault {
      // A repeated submission gets the first answer again, although its challenge is used up.
      if let earlier = try context.earlierResponse() { return earlier }
      server.log(
        SecurityEvent(.passkeyRefused, of: person, ["reason": fault.rawValue]), of: context)
      return failed(fault.text, 422, context)
    }
  }

  /// Returns the name that was typed, or else the browser's. A name is never a reason to refuse a
  /// passkey that the device has stored already.
  private func name(_ context: Context) -> String {
    let typed = context.request.fields["name"].split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for name in [typed, context.request.client.device] where !name.isEmpty {
      return String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.nameLimit)))
    }
    return context.text("browser.unknown")
  }

  private func failed(_ reason: Text, _ status: Int, _ context: Context) -> Response {
    .page(
      Page(
        "passkeys.new",
        """
        \(context.notice(.problem, reason))\
        \(actions:
          context.button("passkeys.again", to: AddPasskey.path),
          context.button("passkeys.back", to: PasskeyList.path, style: .secondary))
        """,
        back: PasskeyList.path),
      status: status)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    failed(reason, status, context)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }
}
