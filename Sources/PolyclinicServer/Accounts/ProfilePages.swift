import PolyclinicCore

/// The profile with what modules ask for, while it is changed.
struct ProfileEdit: Sendable {
  var profile = Profile()
  var answers = ProfileAnswers()
  /// Asked for where login or e-mail change.
  var present = PresentPassword()

  static func form(_ parts: [OwnedProfilePart]) -> Form<ProfileEdit> {
    Form<ProfileEdit>(
      ProfileEdit(),
      .section(
        "profile.section.sign-in", .part(\.profile, Profile.signIn),
        .part(\.present, PresentPassword.formWhereNeeded)),
      .part(\.profile, Profile.about)
    ).adding(parts.map { $0.field(at: \.answers) })
  }
}

extension AccountsModule {
  func loadProfile(_ context: Context) throws -> Profile {
    let profile = try context.database.read { try Profile.find(by: context.keys, on: $0) }
    guard let profile else { throw Refusal.notFound }
    return profile
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a day of birth that is still to come.
  func requirePast(_ birthDate: CalendarDate?, _ context: Context) throws {
    if let birthDate, birthDate > context.today {
      throw Refusal.invalid("birth_date", "error.future")
    }
  }

  func checkEdit(_ edit: inout ProfileEdit, _ context: Context) throws {
    try requirePast(edit.profile.birthDate, context)
    guard try loadProfile(context).signsInOtherwise(than: edit.profile) else { return }
    if edit.present.typed.isEmpty {
      throw Refusal.invalid("current_password", "error.current-password-needed")
    }
    try edit.present.prove(context)
  }

  func loadEdit(_ context: Context) throws -> ProfileEdit {
    var edit = ProfileEdit(profile: try loadProfile(context))
    try context.database.read { connection in
      for part in parts { try part.load(into: &edit.answers, by: context.keys, on: connection) }
    }
    return edit
  }

  func saveProfile(
    _ edit: ProfileEdit, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let keys = try context.keys
    if let stored = try Profile.find(by: keys, on: connection),
      stored.signsInOtherwise(than: edit.profile)
    {
      try edit.present.requireStill(of: keys.person, on: connection)
      if stored.login != edit.profile.login {
        context.visit?.record(SecurityEvent(.loginChanged, of: keys.person))
      }
      if stored.email != edit.profile.email {
        context.visit?.record(SecurityEvent(.emailChanged, of: keys.person))
        try AddressConfirmation.tellFormer(
          of: keys, context.front(), at: context.now, on: connection)
      }
    }
    try edit.profile.save(by: keys, on: connection)
    try Account.rename(keys.person, to: edit.profile, context.front().vault, on: connection)
    for part in parts { try part.save(edit.answers, by: keys, on: connection) }
    return Path("/account").query(["changed": "profile"])
  }

  func showProfile(_ context: Context) throws -> Response {
    let profile = try loadProfile(context)
    let visitor = try context.signedIn()
    let birthDate = profile.birthDate.map { context.formats.date($0) } ?? ""
    let sex = profile.sex.isEmpty ? "" : context.text(Text("sex.\(profile.sex)"))
    let lines = profile.address.lines(in: context.language)
    let facts: [(Text, String)] = [
      ("profile.full-name", [profile.name, profile.patronymic, profile.surname].joinedNames),
      ("field.login", profile.login), ("field.email", profile.email),
      ("field.phone", profile.phone), ("field.birth_date", birthDate), ("field.sex", sex),
      ("profile.section.address", lines.joined(separator: "\n")),
      ("field.roles", context.string(of: visitor.roles)),
      ("profile.storage", try usedStorage(context)),
    ]
    let details: [HTML] = facts.filter { !$0.1.isEmpty }.map { fact in
      "<div><dt>\(context.text(fact.0))</dt><dd class=\"lines\"><bdi>\(fact.1)</bdi></dd></div>"
    }
    return .page(
      Page(
        "profile.title",
        """
        \(changed(context))<dl class="details">\(details)</dl>\
        <h2>\(context.text("profile.more"))</h2><ul class="rows">\
        \(entry("/notifications/preferences", .bell, "told.title", "told.about", context))\
        \(entry("/account/start-page", .screen, "start-page.title", "start-page.about", context))\
        \(entry("/account/password", .key, "password.title", "password.about", context))\
        \(entry("/account/two-factor", .phone, "two-factor.title", "two-factor.about.short", context))\
        \(entry("/account/sessions", .screen, "sessions.title", "sessions.about", context))\
        \(entry("/account/tokens", .lock, "tokens.title", "tokens.about", context))\
        \(entry("/account/deleted", .bin, "deleted.title", "deleted.about", context))\
        \(entry("/account/access-log", .eye, "access.title", "access.about", context))\
        \(entry("/account/export", .document, "export.title", "export.about", context))\
        \(entry("/account/delete", .bin, "delete.title", "delete.about.short", context))</ul>
        """,
        actions: """
          <a class="button secondary" href="/account/edit">\(context.text("profile.edit"))</a>
          """))
  }

  private func usedStorage(_ context: Context) throws -> String {
    let storage = try context.front().storage
    let person = try context.signedIn().person
    let use = try context.database.read { try storage.use(of: person, at: context.now, on: $0) }
    let megabytes = { (bytes: Int) in
      context.formats.number(Double(bytes) / 1_048_576, fractionDigits: bytes < 10 << 20 ? 1 : 0)
    }
    return context.text(
      Text(
        "profile.storage.used",
        ["used": megabytes(use.bytes), "limit": megabytes(storage.quota.bytes)]))
  }

  private func entry(
    _ path: Path, _ icon: Icon, _ title: Text, _ about: Text, _ context: Context
  ) -> HTML {
    """
    <li><a href="\(path)"><span class="with-initial"><span class="initial">\(context.icon(icon))\
    </span><span><strong>\(context.text(title))</strong>\
    <span class="secondary-text">\(context.text(about))</span></span></span></a></li>
    """
  }

  /// What was saved a moment ago.
  private func changed(_ context: Context) -> HTML? {
    let text: Text
    switch context.request.query["changed"] {
    case "profile": text = "profile.saved"
    case "password": text = "password.saved"
    case "start-page": text = "start-page.saved"
    default: return nil
    }
    return "<div class=\"notice success\" role=\"status\"><p>\(context.text(text))</p></div>"
  }
}

extension [String] {
  /// The parts of a name that there are, one behind the other.
  fileprivate var joinedNames: String { filter { !$0.isEmpty }.joined(separator: " ") }
}

extension Context {
  /// The names of roles, in one order everywhere: what everyone is first.
  func string(of roles: Set<Role>) -> String {
    Role.allCases.filter(roles.contains).map { text(Text("role.\($0.rawValue)")) }
      .joined(separator: ", ")
  }
}
