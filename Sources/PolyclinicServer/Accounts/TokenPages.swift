import PolyclinicCore

/// The tokens by which a person's own programs sign in.
extension AccountsModule {
  func listTokens(_ context: Context) throws -> Response {
    let tokens = try context.database.read { try AccessToken.all(by: context.keys, on: $0) }
    return .page(TokenList(tokens: tokens, programs: programs, context: context).page)
  }

  /// The form, and after it the only page that shows the secret.
  var newToken: Route {
    ShownOnce.route(
      "tokens/new",
      .form(
        "tokens/new", TokenDraft.form(programs), title: "tokens.new", cancel: "tokens",
        submit: "tokens.make", prepare: { try $0.present.prove($1) }, save: makeToken),
      page: TokenList.made)
  }

  private func makeToken(
    _ draft: TokenDraft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let keys = try context.keys
    try draft.present.requireStill(of: keys.person, on: connection)
    guard try AccessToken.all(by: keys, on: connection).count < AccessToken.most else {
      throw Refusal.conflict(Text("tokens.too-many", ["limit": String(AccessToken.most)]))
    }
    context.visit?.secret = try AccessToken.make(
      draft.details, expiresAt: draft.lifetime.span.map { context.now + $0 }, by: keys,
      at: context.now, on: connection)
    context.visit?.record(SecurityEvent(.tokenMade, of: keys.person))
    return "tokens"
  }

  func revokeQuestion(_ context: Context) throws -> HTML {
    let token = try context.database.read {
      try AccessToken.find(context.id(), by: context.keys, on: $0)
    }
    guard let token else { throw Refusal.notFound }
    return "<p>\(context.text("tokens.revoke.question", ["name": token.details.name]))</p>"
  }

  func revokeToken(_ context: Context, _ connection: Connection) throws -> Path {
    let isRevoked = try AccessToken.revoke(
      context.id(), of: context.keys.person, on: connection)
    if !isRevoked { throw Refusal.notFound }
    context.visit?.record(SecurityEvent(.tokenRevoked, of: try context.keys.person))
    return Path("tokens").query(["revoked": "1"])
  }
}

/// The list of a person's tokens.
struct TokenList {
  let tokens: [AccessToken]
  let programs: [ProgramAccess]
  let context: Context

  var page: Page {
    let new: HTML = """
      <a class="button" href="/account/tokens/new">\(context.text("tokens.new"))</a>
      """
    let canMake = !programs.isEmpty && tokens.count < AccessToken.most
    let revoked: HTML? =
      context.request.query["revoked"] == "1"
      ? "<div class=\"notice success\" role=\"status\"><p>\(context.text("tokens.revoked"))</p></div>"
      : nil
    let list: HTML =
      tokens.isEmpty
      ? "<div class=\"empty\">\(context.icon(.lock))<p>\(context.text("tokens.empty"))</p></div>"
      : "<ul class=\"rows\">\(each: tokens, row)</ul>"
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
      hasEnded ? " <span class=\"badge off\">\(context.text("tokens.ended"))</span>" : nil
    let facts = [scopes(of: token), made(token), used(token), until(token)]
    return """
      <li><div class="item"><span><strong><bdi>\(token.details.name)</bdi></strong>\(ended)\
      \(each: facts, { "<span class=\"secondary-text\">\($0)</span>" })</span>\
      <div class="actions"><a class="button plain danger small" \
      href="/account/tokens/\(token.id)/revoke">\(context.text("tokens.revoke.yes"))\
      <span class="hidden-text"> \(token.details.name)</span></a></div></div></li>
      """
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

  /// What follows the form: the secret, and how it is used.
  static func made(_ secret: String, _ context: Context) -> Page {
    Page(
      "tokens.made",
      """
      <section class="panel" role="status"><p>\(context.text("tokens.made.hint"))</p>\
      <p><code class="secret" id="secret" dir="ltr">\(secret)</code></p>\
      <p class="actions"><button type="button" class="button secondary" data-copy="secret" \
      data-copied="\(context.text("tokens.copied"))" hidden>\(context.text("tokens.copy"))</button></p>\
      </section><p class="hint">\(context.text("tokens.made.use"))</p>\
      <p><code class="secret" dir="ltr">Authorization: Bearer …</code></p>\
      <p class="actions"><a class="button" href="/account/tokens">\(context.text("tokens.done"))</a></p>
      """,
      back: "/account/tokens", scripts: ["copy.js"])
  }
}
