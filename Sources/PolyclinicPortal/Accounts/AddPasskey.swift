import PolyclinicCore
import PolyclinicVault
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
  private let context: Context

  /// Throws ``Refusal/notFound`` if the portal's address allows no passkeys.
  init(_ context: Context) throws {
    guard context.server.relyingParty != nil else { throw Refusal.notFound }
    self.context = context
  }

  var before: Response? {
    get throws {
      guard try context.hasFreshSession else { return nil }
      return .page(NewPasskey.page(try options(context), context))
    }
  }

  var about: HTML? { "<p>\(context.text("passkeys.new.password"))</p>" }

  func prepare(_ proof: inout SecondFactorProof, in context: Context) throws {
    try proof.currentPassword.prove(in: context)
    try CodeAttempt(context: context).require(proof.code, of: context.keys.person)
  }

  func save(_ proof: SecondFactorProof, in context: Context) throws -> Redirect {
    try proof.currentPassword.requireStill(of: context.keys.person, on: context)
    return Redirect(to: PasskeyList.path).showing(try options(context))
  }

  private func options(_ context: Context) throws -> String {
    guard let session = context.request.client.session else { throw Refusal.signedOut }
    return try PasskeyForm.options(for: session, context.server, in: context)
  }
}

extension Context {
  /// The time after a sign-in in which nothing is asked for again.
  private static let freshFor = Seconds.minutes(5)

  /// True if the visitor has just signed in.
  var hasFreshSession: Bool {
    get throws {
      guard let session = request.client.session,
        let begun = try server.sessions.beginning(of: session, on: self)
      else { return false }
      return begun <= now && now - begun <= Self.freshFor
    }
  }
}

/// The form whose script makes a passkey on the person's device.
struct PasskeyForm {
  let action: Path
  /// The options for the script, from ``options(for:_:in:)``.
  let options: String
  let content: HTML
  let context: Context

  var html: HTML {
    """
    <form class="form" method="post" action="\(action)" data-passkey="create" \
    data-options="\(options)" hidden>\(context.hiddenFields())\
    <input type="hidden" name="credential" value="">\(content)\
    \(context.passkeyFailure("passkeys.failed.new"))\
    \(actions: context.submit("passkeys.create"))</form>
    """
  }

  /// Returns the options for the person whose keys the work has. Their challenge allows the session
  /// or the browser with this token to add a passkey.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the person has as many as possible.
  static func options(for token: Token, _ server: ServerContext, in work: Work) throws -> String {
    guard let party = server.relyingParty else { throw Refusal.notFound }
    let passkeys = try Passkey.all(in: work)
    guard passkeys.count < Passkey.most else { throw MadePasskey.tooMany }
    let profile = try Profile.own(in: work)
    let handle = try Passkey.handle(in: work) ?? Passkey.newHandle()
    let challenge = try server.passkeyChallenges.make(
      for: .adding(work.keys.person, in: token), handle: handle, at: work.now)
    let options = party.creationOptions(
      for: RelyingParty.User(handle: handle, login: profile.login, name: profile.displayName),
      portalName: server.site.clinic.name, challenge: challenge, besides: passkeys)
    return String(decoding: options.encoded, as: UTF8.self)
  }
}

/// A passkey that a person's device has made.
struct MadePasskey {
  static let tooMany = Refusal.conflict(
    Text("passkeys.too-many", ["limit": String(Passkey.most)]))
  static let nameLimit = 100

  private let content: Passkey.Content
  private let handle: [UInt8]
  private let party: RelyingParty

  /// Checks the response that ``PasskeyForm`` has sent, and uses up its challenge for this token.
  /// Throws ``PasskeyFault``.
  init(of person: ID<Person>, for token: Token, _ context: Context) throws {
    let server = context.server
    guard let party = server.relyingParty else { throw Refusal.notFound }
    let response = try PasskeyResponse(context.request.fields["credential"])
    handle = try server.passkeyChallenges.spend(
      response.challenge, for: .adding(person, in: token), at: context.now, in: server.database)
    content = try party.created(by: response, named: Self.name(context))
    self.party = party
  }

  /// Returns the name that was typed, or else the browser's. A name is never a reason to refuse a
  /// passkey that the device has stored already.
  private static func name(_ context: Context) -> String {
    let typed = context.request.fields["name"].split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for name in [typed, context.request.client.device] where !name.isEmpty {
      return String(String.UnicodeScalarView(name.unicodeScalars.prefix(nameLimit)))
    }
    return context.text("browser.unknown")
  }

  /// Stores the passkey of the person whose keys the work has, and notifies the person. Throws
  /// ``PasskeyFault``.
  func store(_ server: ServerContext, in work: Work) throws {
    guard try Passkey.all(in: work).count < Passkey.most else { throw Self.tooMany }
    try Passkey.keep(handle: handle, in: work)
    try Passkey.insert(content, for: party, server.vault, in: work)
    try server.accountNotices.tell(work.keys.person, .passkeyAdded, in: work)
  }
}

/// The page on which the device makes a passkey, and its submission.
struct NewPasskey: FormAnswer {
  static let address: Address<Void> = "/account/passkeys/create"
  static var route: Route { Route(address.pattern, access: .signedIn, answer: .form(NewPasskey())) }

  /// Returns the page with these options for the script.
  static func page(_ options: String, _ context: Context) -> Page {
    let name = context.request.client.device
    let field = context.field(
      "passkeys.name", id: "name",
      """
      <p class="hint" id="name-hint">\(context.text("passkeys.name.hint"))</p>\
      <input id="name" name="name" value="\(name)" autocomplete="off" \
      maxlength="\(MadePasskey.nameLimit)" aria-describedby="name-hint">
      """)
    let form = PasskeyForm(
      action: address.path, options: options, content: field, context: context)
    return Page(
      "passkeys.new",
      """
      <p class="lead">\(context.text("passkeys.new.about"))</p>\
      <p data-no-passkeys>\(context.text("passkeys.unable"))</p>\(form.html)
      """,
      back: PasskeyList.path, assets: [.passkeys])
  }

  /// Redirects to the page that allows a new passkey.
  func show(_ context: Context) throws -> Response { .redirect(to: AddPasskey.path) }

  func submit(_ context: Context) throws -> Response {
    let (server, person) = (context.server, try context.keys.person)
    guard let session = context.request.client.session else { throw Refusal.signedOut }
    do {
      let passkey = try MadePasskey(of: person, for: session, context)
      return try context.redirecting { context in
        try passkey.store(server, in: context)
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
