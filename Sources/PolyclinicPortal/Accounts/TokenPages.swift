import PolyclinicCore
import PolyclinicWeb

/// The pages for API tokens, with which a person's own programs sign in.
extension AccountsModule {
  func listTokens(_ context: Context) throws -> Response {
    let tokens = try AccessToken.all(by: context.keys, on: context)
    return .page(TokenList(tokens: tokens, programs: programs, context: context).page)
  }

  /// The form for a new token, followed by the only page that shows its secret.
  var newToken: Route {
    SecretForm.route(
      "tokens/new",
      .form(
        "tokens/new", TokenDraft.form(programs), title: "tokens.new", cancel: "tokens",
        submit: "tokens.make", prepare: { try $0.currentPassword.prove($1, server()) },
        save: makeToken),
      page: TokenList.made)
  }

  private func makeToken(
    _ draft: TokenDraft, _ context: Context
  ) throws -> Redirect {
    let keys = try context.keys
    try draft.currentPassword.requireStill(of: keys.person, on: context)
    guard try AccessToken.all(by: keys, on: context).count < AccessToken.most else {
      throw Refusal.conflict(Text("tokens.too-many", ["limit": String(AccessToken.most)]))
    }
    let secret = try AccessToken.make(
      draft.details, expiresAt: draft.lifetime.span.map { context.now + $0 }, by: keys,
      at: context.now, on: context)
    return Redirect(to: "tokens").showing(secret)
      .logging(SecurityEvent(.tokenMade, of: keys.person))
  }

  func revokeQuestion(_ context: Context) throws -> HTML {
    let token = try AccessToken.find(context.id(), by: context.keys, on: context)
    guard let token else { throw Refusal.notFound }
    return "<p>\(context.text("tokens.revoke.question", ["name": token.details.name]))</p>"
  }

  func revokeToken(_ context: Context) throws -> Redirect {
    let isRevoked = try AccessToken.revoke(
      context.id(), of: context.keys.person, on: context)
    if !isRevoked { throw Refusal.notFound }
    return Redirect(to: Path("tokens").query(["revoked": "1"]))
      .logging(SecurityEvent(.tokenRevoked, of: try context.keys.person))
  }
}

/// The page with the person's tokens.
struct TokenList {
  let tokens: [AccessToken]
  let programs: [ProgramAccess]
  let context: Context

  var page: Page {
    let new: HTML = context.button("tokens.new", to: "/account/tokens/new")
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
      back: "/account", actions: canMake ? new : nil)
  }

  private func row(_ token: AccessToken) -> HTML {
    let hasEnded = token.expiresAt.map { $0 <= context.now } ?? false
    let ended: HTML? =
      hasEnded ? " \(context.badge("tokens.ended", .off))" : nil
    let facts = [scopes(of: token), made(token), used(token), until(token)]
    let revoke = context.button(
      "tokens.revoke.yes", to: "/account/tokens/\(token.id)/revoke",
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

  /// The page after the form: the secret and how to use it.
  static func made(_ secret: String, _ context: Context) -> Page {
    Page(
      "tokens.made",
      """
      <section class="panel" role="status"><p>\(context.text("tokens.made.hint"))</p>\
      <p><code class="secret" id="secret" dir="ltr">\(secret)</code></p>\
      \(actions: context.copyButton("tokens.copy", of: "secret", copied: "tokens.copied"))\
      </section><p class="hint">\(context.text("tokens.made.use"))</p>\
      <p><code class="secret" dir="ltr">Authorization: Bearer …</code></p>\
      \(actions: context.button("tokens.done", to: "/account/tokens"))
      """,
      back: "/account/tokens", assets: [.copy])
  }
}
