import PolyclinicCore
import PolyclinicWeb

/// The edit form: the profile and the fields that modules add.
struct ProfileEdit: Sendable {
  var profile = Profile()
  var answers = ProfileAnswers()
  /// Needed only if login or e-mail change.
  var currentPassword = CurrentPassword()

  static func form(
    _ parts: [OwnedProfilePart], _ address: AskingRule, needing needed: Set<String>
  ) -> Form<ProfileEdit> {
    Form<ProfileEdit>(
      ProfileEdit(),
      .section(
        "profile.section.sign-in", .part(\.profile, Profile.signIn),
        .part(\.currentPassword, CurrentPassword.optionalForm)),
      .part(\.profile, Profile.about(address))
    ).adding(parts.map { $0.field(at: \.answers).needing(needed) })
  }
}

extension AccountsModule {
  func loadProfile(_ context: Context) throws -> Profile {
    let profile = try Profile.find(in: context)
    guard let profile else { throw Refusal.notFound }
    return profile
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a date of birth in the future.
  func requirePast(_ birthDate: CalendarDate?, _ context: Context) throws {
    if let birthDate, birthDate > context.today {
      throw Refusal.invalid("birth_date", "error.future")
    }
  }

  func checkEdit(_ edit: inout ProfileEdit, _ context: Context) throws {
    try requirePast(edit.profile.birthDate, context)
    guard try loadProfile(context).signsInOtherwise(than: edit.profile) else { return }
    if edit.currentPassword.typed.isEmpty {
      throw Refusal.invalid("current_password", "error.current-password-needed")
    }
    try edit.currentPassword.prove(context, server())
  }

  func loadEdit(_ context: Context) throws -> ProfileEdit {
    var edit = ProfileEdit(profile: try loadProfile(context))
    if edit.profile.country.isEmpty { edit.profile.country = context.portal.clinic.country }
    for part in parts { try part.load(into: &edit.answers, in: context) }
    return edit
  }

  func saveProfile(
    _ edit: ProfileEdit, _ context: Context
  ) throws -> Redirect {
    var edit = edit
    if !edit.profile.hasAddress { edit.profile.country = "" }
    let keys = try context.keys
    var next = Redirect(to: "/account")
    if let stored = try Profile.find(by: keys, on: context),
      stored.signsInOtherwise(than: edit.profile)
    {
      try edit.currentPassword.requireStill(of: keys.person, on: context)
      if !stored.login.isIdentical(to: edit.profile.login) {
        next = next.logging(SecurityEvent(.loginChanged, of: keys.person))
      }
      if !stored.email.isIdentical(to: edit.profile.email) {
        next = next.logging(SecurityEvent(.emailChanged, of: keys.person))
        try AddressConfirmation.tellFormer(
          of: keys, server(), at: context.now, on: context)
      }
    }
    try edit.profile.save(by: keys, on: context)
    try Account.rename(keys.person, to: edit.profile, server().vault, on: context)
    for part in parts { try part.save(edit.answers, in: context) }
    return next
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
    ]
    let account: [(Text, String)] = [
      ("field.roles", context.string(of: visitor.roles)),
      ("profile.storage", try usedStorage(context)),
    ]
    let answers = try parts.flatMap { try $0.answers(context, in: context) }
    let waiting = try approval(context).map { HTML.notice(.remark, $0) }
    let details = context.facts((facts + answers + account).map { HTML.Fact($0, lines: $1) })
    return .page(
      Page(
        "profile.title",
        """
        \(waiting)\(details)\
        <h2>\(context.text("profile.more"))</h2>\
        \(rows: [
          entry("/notifications/preferences", .bell, "told.title", "told.about", context),
          entry("/account/start-page", .screen, "start-page.title", "start-page.about", context),
          entry("/account/password", .key, "password.title", "password.about", context),
          entry("/account/two-factor", .phone, "two-factor.title", "two-factor.about.short", context),
          entry("/account/sessions", .screen, "sessions.title", "sessions.about", context),
          entry("/account/offline", .screen, "offline.own.link", "offline.own.about", context),
          entry("/account/tokens", .lock, "tokens.title", "tokens.about", context),
          entry("/account/deleted", .bin, "deleted.title", "deleted.about", context),
          entry("/account/access-log", .eye, "access.title", "access.about", context),
          entry("/account/export", .document, "export.title", "export.about", context),
          entry("/account/delete", .bin, "delete.title", "delete.about.short", context),
        ])
        """,
        actions: context.button("profile.edit", to: "/account/edit", style: .secondary)))
  }

  private func usedStorage(_ context: Context) throws -> String {
    let storage = server().storage
    let person = try context.signedIn().person
    let use = try storage.use(of: person, at: context.now, on: context)
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
    HTML.row(
      to: path, "\(context.text(title))", detail: "\(context.text(about))",
      lead: context.icon(icon))
  }
}

extension [String] {
  /// The non-empty parts of a name, joined with spaces.
  fileprivate var joinedNames: String { filter { !$0.isEmpty }.joined(separator: " ") }
}

extension Context {
  /// Returns the names of roles in the order of their declaration, with patient first.
  package func string(of roles: Set<Role>) -> String {
    Role.allCases.filter(roles.contains).map { text(Text("role.\($0.rawValue)")) }
      .joined(separator: ", ")
  }
}
