import PolyclinicCore
import PolyclinicWeb

/// The page of one's own account: the profile, and the way to all settings.
struct AccountPage: RoutedPage {
  static let address: Address<Void> = "/account"

  private let profile: Profile
  private let visitor: Visitor
  private let answers: [(Text, String)]
  private let waiting: HTML?
  private let used: Connection.StorageUse
  private let quota: Connection.StorageUse
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let storage = context.server.storage
    profile = try Profile.own(in: context)
    visitor = try context.signedIn()
    used = try storage.use(of: visitor.person, at: context.now, on: context)
    quota = storage.quota
    answers = try context.accounts.parts.flatMap { try $0.answers(context, in: context) }
    waiting = try Self.approval(context).map { HTML.notice(.remark, $0) }
  }

  var page: Page {
    Page(
      "profile.title",
      """
      \(waiting)\(person)\
      \(each: settings, { "<h2>\(context.text($0))</h2>\(rows: $1, row)" })\
      <h2>\(context.text("profile.account"))</h2>\(facts(account))\
      \(actions:
        context.button("sessions.end", posts: SignInPage.leaving.path, style: .secondary))
      """,
      actions: context.button("profile.edit", to: ProfileEdit.path, style: .secondary))
  }

  private var name: String {
    [profile.name, profile.patronymic, profile.surname].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The person in one row, and the facts about them, folded, so that the settings are seen at once.
  private var person: HTML {
    let row = HTML.row(
      content: """
        <div class="with-initial">\(HTML.avatar(of: visitor.name))<div><strong><bdi>\(name)</bdi></strong>\
        <span class="secondary-text"><bdi>\(profile.email.isEmpty ? profile.login : profile.email)</bdi></span>\
        </div></div>
        """)
    return """
      \(rows: [row])<details class="fold"><summary>\(context.text("profile.facts"))</summary>\
      \(facts(personal))</details>
      """
  }

  private func facts(_ facts: [(Text, String)]) -> HTML? {
    context.facts(facts.map { HTML.Fact($0, lines: $1) })
  }

  private var personal: [(Text, String)] {
    [
      ("profile.full-name", name),
      ("field.login", profile.login), ("field.email", profile.email),
      ("field.phone", profile.phone),
      ("field.birth_date", profile.birthDate.map { context.formats.date($0) } ?? ""),
      ("field.sex", profile.sex.isEmpty ? "" : context.text(Text("sex.\(profile.sex)"))),
      (
        "profile.section.address",
        profile.address.lines(in: context.language).joined(separator: "\n")
      ),
    ] + answers
  }

  private var account: [(Text, String)] {
    let amounts = ["used": megabytes(used), "limit": megabytes(quota)]
    return [
      ("field.roles", context.string(of: visitor.roles)),
      ("profile.storage", context.text("profile.storage.used", amounts)),
    ]
  }

  private func megabytes(_ use: Connection.StorageUse) -> String {
    context.formats.number(
      Double(use.bytes) / 1_048_576, fractionDigits: use.bytes < 10 << 20 ? 1 : 0)
  }

  /// A page of settings with its icon, its title and a sentence about it.
  private typealias Setting = (path: Path, icon: Icon, title: Text, about: Text)

  private func row(_ setting: Setting) -> HTML {
    .row(
      to: setting.path, "\(context.text(setting.title))",
      detail: "\(context.text(setting.about))", lead: context.icon(setting.icon))
  }

  /// The pages of settings in groups, each with its heading.
  private var settings: [(Text, [Setting])] {
    let shown: Setting = (
      SharedWithMe.path, .document, "sharing.with-me", "sharing.with-me.about"
    )
    return [
      (
        "profile.signing-in",
        [
          (PasswordChange.path, .dottedField, "password.title", "password.about"),
          (PasskeyList.path, .key, "passkeys.title", "passkeys.about.short"),
          (SecondFactorPage.path, .shield, "two-factor.title", "two-factor.about.short"),
          (SessionList.path, .globe, "sessions.title", "sessions.about"),
        ]
      ),
      (
        "profile.look",
        [
          ("/notifications/preferences", .bell, "told.title", "told.about"),
          ("/account/start-page", .flag, "start-page.title", "start-page.about"),
          ("/account/home-cards", .tiles, "home-cards.title", "home-cards.about"),
        ]
      ),
      (
        "profile.family",
        [
          (GuardianList.path, .people, "guardians.title", "guardians.about"),
          (SharedRecords.path, .boxArrow, "sharing.title", "sharing.about"),
        ] + (visitor.isStaff ? [shown] : []) + [
          (AccessLogPage.path, .eye, "access.title", "access.about")
        ]
      ),
      (
        "profile.data",
        [
          (DeletedPage.path, .bin, "deleted.title", "deleted.about"),
          ("/account/offline", .devices, "offline.own.link", "offline.own.about"),
          (ExportPage.path, .download, "export.title", "export.about"),
          (TokenList.path, .plug, "tokens.title", "tokens.about"),
          (AccountDeletion.path, .personMinus, "delete.title", "delete.about.short"),
        ]
      ),
    ]
  }

  /// Returns the sentence about a role that waits for approval, for the home page, the welcome and
  /// the account; nil if none waits.
  static func approval(_ context: Context) throws -> HTML? {
    try context.signedIn().wantedRole.map {
      "<p>\(context.text(Text("approval.\($0.rawValue)")))</p>"
    }
  }
}

extension Profile {
  /// Returns the profile of the person of the work; throws ``Refusal/notFound`` if there is none.
  static func own(in work: Work) throws -> Profile {
    guard let profile = try find(in: work) else { throw Refusal.notFound }
    return profile
  }
}

extension Context {
  /// Returns the names of roles in the order of their declaration, with patient first.
  package func string(of roles: Set<Role>) -> String {
    Role.allCases.filter(roles.contains).map { text(Text("role.\($0.rawValue)")) }
      .joined(separator: ", ")
  }
}
