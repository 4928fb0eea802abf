import PolyclinicCore
import PolyclinicWeb

/// The page with the person's API tokens, with which their own programs sign in.
struct TokenList: RoutedPage {
  static let address: Address<Void> = "/account/tokens"
  static let linkTitle: Text? = "tokens.title"

  private let tokens: [AccessToken]
  private let programs: [ProgramAccess]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    programs = try context.accounts.programs
    tokens = try AccessToken.all(by: context.keys, on: context)
  }

  var page: Page {
    let canMake = !programs.isEmpty && tokens.count < AccessToken.most
    let revoked: HTML? =
      context.request.query["revoked"] == "1" ? context.notice(.outcome, "tokens.revoked") : nil
    let list: HTML =
      tokens.isEmpty ? context.emptyState(.plug, hint: "tokens.empty") : "\(rows: tokens, row)"
    return Page(
      "tokens.title",
      """
      \(revoked)<p class="lead">\(context.text("tokens.lead"))</p>\(list)\
      <p class="muted">\(context.text("tokens.password"))</p>\
      <p><a href="/api/v1/openapi.json">\(context.text("tokens.description"))</a></p>
      """,
      back: AccountPage.path,
      actions: canMake ? context.button("tokens.new", to: NewToken.path) : nil)
  }

  private func row(_ token: AccessToken) -> HTML {
    let hasEnded = token.expiresAt.map { $0 <= context.now } ?? false
    let ended: HTML? = hasEnded ? " \(context.badge("tokens.ended", .off))" : nil
    let scopes = programs.compactMap { program in
      token.details.scopes[program.module.rawValue].map {
        "\(context.text(program.title)): \(context.text(Text("tokens.scope.\($0.rawValue)")))"
      }
    }
    let date = { (time: Instant) in context.formats.date(context.formats.day(of: time)) }
    let facts = [
      scopes.joined(separator: " · "),
      context.text("tokens.made-on", ["date": date(token.createdAt)]),
      token.usedAt.map { context.text("tokens.used", ["time": context.formats.dateTime($0)]) }
        ?? context.text("tokens.unused"),
      token.expiresAt.map { context.text("tokens.until", ["date": date($0)]) }
        ?? context.text("tokens.until-revoked"),
    ]
    return .row(
      content: """
        <strong><bdi>\(token.details.name)</bdi></strong>\(ended)\
        \(each: facts, { "<span class=\"secondary-text\">\($0)</span>" })
        """,
      actions: context.button(
        "tokens.revoke.yes", to: RevokeToken.path(token.id), style: [.plain, .danger, .small],
        of: token.details.name))
  }
}

/// The question before a token is revoked.
struct RevokeToken: RoutedForm {
  static let address: Address<ID<AccessToken>> = "/account/tokens/{id}/revoke"
  static let title: Text = "tokens.revoke"
  static let submit: Text = "tokens.revoke.yes"
  static let cancel = TokenList.path
  static let isQuestion = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws {
      let token = try AccessToken.find(
        Self.address.value(in: context), by: context.keys, on: context)
      guard let token else { throw Refusal.notFound }
      return "<p>\(context.text("tokens.revoke.question", ["name": token.details.name]))</p>"
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let person = try context.keys.person
    guard try AccessToken.revoke(Self.address.value(in: context), of: person, on: context) else {
      throw Refusal.notFound
    }
    return Redirect(to: TokenList.path.query(["revoked": "1"]))
      .logging(SecurityEvent(.tokenRevoked, of: person))
  }
}
