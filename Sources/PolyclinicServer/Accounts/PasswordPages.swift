import PolyclinicCore

/// A password that somebody chooses, typed twice.
struct NewPassword: Sendable {
  var password = ""
  var passwordConfirm = ""
  /// Made before the transaction, since it takes long.
  var passwordHash = ""

  static let form = Form<NewPassword>(
    NewPassword(),
    .password(
      \.password, "password", autocomplete: "new-password", hint: "field.password.hint",
      comfort: .strength),
    .password(\.passwordConfirm, "password_confirm", autocomplete: "new-password")
  ).requiring("password_confirm") {
    $0.password == $0.passwordConfirm ? nil : "error.password-confirm"
  }
}

/// A password changed by somebody who knows the old one.
struct PasswordChange: Sendable {
  var current = PresentPassword()
  var new = NewPassword()

  static let form = Form<PasswordChange>(
    PasswordChange(),
    .part(\.current, PresentPassword.form),
    .part(\.new, NewPassword.form))
}

extension AccountsModule {
  func prepareChange(_ change: inout PasswordChange, _ context: Context) throws {
    let visitor = try context.signedIn()
    let profile = try loadProfile(context)
    try change.current.prove(context)
    let front = try context.front()
    change.new.passwordHash = try front.hashed(
      change.new.password, personal: profile.personalWords + [visitor.name],
      for: front.passwords.priority(knownTo: "\(try context.keys.person)", at: context.now))
  }

  /// Sets the password and ends all other sessions; this one gets a new token.
  func changePassword(
    _ change: PasswordChange, _ context: Context, _ connection: Connection
  ) throws -> Path {
    guard let visit = context.visit else { throw Refusal.notFound }
    let keys = try context.keys
    try change.current.requireStill(of: keys.person, on: connection)
    try Account.replacePassword(
      change.new.passwordHash, of: keys.person, visit.front.vault, on: connection)
    try visit.signIn(keys, on: connection)
    visit.record(SecurityEvent(.passwordChanged, of: keys.person))
    return Path("/account").query(["changed": "password"])
  }

  func startReset(_ context: Context) throws -> NewPassword {
    let keys = try context.database.read { try keysByLink(context, on: $0) }
    if keys == nil { throw OneTimeLink.gone }
    return NewPassword()
  }

  /// The keys of whoever's password the address sets; nil when it does not work any more.
  private func keysByLink(_ context: Context, on connection: Connection) throws -> Keys? {
    let token = context.request.parameters["token"]
    let vault = try context.front().vault
    guard
      let person = try OneTimeLink.person(of: token, at: context.now, vault, on: connection)
    else { return nil }
    return try KeyCabinet(vault).keys(of: person, on: connection)
  }

  /// Whose password it is: also for the browser, which keeps it under that name.
  func aboutReset(_ context: Context) throws -> HTML? {
    let profile = try context.database.read { connection in
      try keysByLink(context, on: connection).flatMap { try Profile.find(by: $0, on: connection) }
    }
    return profile.map {
      """
      <p>\(context.text("reset.about", ["name": $0.displayName, "login": $0.login]))</p>\
      <input type="text" value="\($0.login)" autocomplete="username" readonly hidden>
      """
    }
  }

  func prepareReset(_ draft: inout NewPassword, _ context: Context) throws {
    let (person, profile) = try context.database.read { connection in
      guard let keys = try keysByLink(context, on: connection) else { throw OneTimeLink.gone }
      return (keys.person, try Profile.find(by: keys, on: connection))
    }
    let front = try context.front()
    draft.passwordHash = try front.hashed(
      draft.password, personal: profile?.personalWords ?? [],
      for: front.passwords.priority(knownTo: "\(person)", at: context.now))
  }

  /// Sets the password, ends all sessions and signs in.
  func reset(
    _ draft: NewPassword, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let front = try context.front()
    guard let keys = try keysByLink(context, on: connection) else { throw OneTimeLink.gone }
    let person = keys.person
    try Account.replacePassword(draft.passwordHash, of: person, front.vault, on: connection)
    try front.passwordLinkNews.tell(person, .used, by: nil, at: context.now, on: connection)
    try context.visit?.signIn(keys, on: connection)
    context.visit?.record(SecurityEvent(.linkUsed, of: person, ["purpose": "password"]))
    guard let account = try Account.find(person, on: connection) else { return "/" }
    // Guesses at the old password say nothing about the new one, nor make its owner wait.
    for name in SignInAttempt.counted(account) {
      try front.throttle.forget(login: name, on: connection)
      guard let address = context.visit?.wire.address else { continue }
      try front.throttle.recordSuccess(
        login: name, address: address, now: context.now, on: connection)
    }
    return front.installation.landing(of: account.roles)
  }
}
