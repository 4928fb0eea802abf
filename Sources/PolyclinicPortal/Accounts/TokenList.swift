import PolyclinicCore
import PolyclinicWeb

/// The page with the person's API tokens, with which their own programs sign in.
struct TokenList: RoutedPage {
  static let address: Address<Void> = "/account/tokens"

  private let tokens: [AccessToken]
  private let programs: [ProgramAccess]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    programs = try context.accounts.programs
    tokens = try AccessToken.all(by: context.keys, on: context)
  }

  var page: Page {
    let new: HTML = context.button("tokens.new", to: TokenDraft.address.path)
    let canMake = !programs.isEmpty && tokens.count < AccessToken.most
    let revoked: HTML? =
      context.request.query["revoked"] == "1" ? context.notice(.outcome, "tokens.revoked") : nil
    let list: HTML =
      tokens.isEmpty
      ? context.emptyState(.lock, hint: "tokens.empty")
      : "\(rows: tokens, row)"
    return Page(
      "tokens.title",
      """
      \(revoked)<p class="lead">\(context.text("tokens.lead"))</p>\(list)\
      <p class="muted">\(context.text("tokens.password"))</p>\
      <p><a href="/api/v1/openapi.json">\(context.text("tokens.description"))</a></p>
      """,
      back: AccountPage.path, actions: canMake ? new : nil)
  }

  private func row(_ token: AccessToken) -> HTML {
    let hasEnded = token.expiresAt.map { $0 <= context.now } ?? false
    let ended: HTML? =
      hasEnded ? " \(context.badge("tokens.ended", .off))" : nil
    let facts = [scopes(of: token), made(token), used(token), until(token)]
    let revoke = context.button(
      "tokens.revoke.yes", to: RevokeToken.path(token.id),
      style: [.plain, .danger, .small], of: token.details.name)
    return .row(
      content: """
        <strong><bdi>\(token.details.name)</bdi></strong>\(ended)\
        \(each: facts, { "<span class=\"secondary-text\">\($0)</span>" })
        """, actions: revoke)
  }

  private func scopes(of token: AccessToken) -> String {
    programs.compactMap { program in
      token.details.scopes[program.module.rawValue].map {
        "\(context.text(program.title)): \(context.text(Text("tokens.scope.\($0.rawValue)")))"
      }
    }.joined(separator: " · ")
  }

  private func made(_ token: AccessToken) -> String {
    context.text("tokens.made-on", ["date": date(token.createdAt)])
  }

  private func used(_ token: AccessToken) -> String {
    guard let used = token.usedAt else { return context.text("tokens.unused") }
    return context.text("tokens.used", ["time": context.formats.dateTime(used)])
  }

  private func until(_ token: AccessToken) -> String {
    guard let end = token.expiresAt else { return context.text("tokens.until-revoked") }
    return context.text("tokens.until", ["date": date(end)])
  }

  private func date(_ instant: Instant) -> String {
    context.formats.date(context.formats.day(of: instant))
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
