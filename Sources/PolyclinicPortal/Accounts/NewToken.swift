import PolyclinicCore
import PolyclinicWeb

/// A module for whose records API tokens can be issued.
package struct ProgramAccess: Sendable {
  package let module: ModuleID
  package let title: Text

  package init(_ module: any Module) {
    self.module = module.id
    title = module.title.spoken(by: module.id)
  }
}

/// The form for a new API token.
struct NewToken: RoutedForm {
  static let address: Address<Void> = "/account/tokens/new"
  static let title: Text = "tokens.new"
  static let form = Form(
    Draft(),
    .text(
      \.name, "name", required: true, limit: 100, autocomplete: "off", hint: "tokens.name.hint"
    )
    .labelled("tokens.name"),
    .choice(\.lifetime, "lifetime"))
  static let submit: Text = "tokens.make"
  static let cancel = TokenList.path
  static let preparesOnce = true

  /// The route of the form, followed by the only page that shows the token's secret.
  static func route(_ programs: [ProgramAccess]) -> Route {
    Route(Self.self, fields: fields(programs)).showingSecret(on: made)
  }

  /// Returns the fields, with the scopes of these modules.
  static func fields(_ programs: [ProgramAccess]) -> Form<Draft> {
    let scopes = programs.map { program -> Field<Draft> in
      let path: WritableKeyPath<Draft, String> & Sendable = \.[program.module]
      return .choice(path, "scope-\(program.module)") { _ in
        [Choice("", .text("tokens.scope.none"))]
          + AccessToken.Scope.allCases.map {
            Choice($0.rawValue, .text(Text("tokens.scope.\($0.rawValue)")))
          }
      }.labelled(program.title).alternative
    }
    let first = programs.first.map { "scope-\($0.module)" } ?? "name"
    return form.adding([
      .group("tokens.scopes", scopes, []), .part(\.currentPassword, CurrentPassword.form),
    ]).requiring(first) { $0.scopes.isEmpty ? "tokens.error.no-scope" : nil }
  }

  struct Draft: Sendable {
    var name = ""
    var lifetime = Lifetime.year
    fileprivate var scopes: [String: String] = [:]
    var currentPassword = CurrentPassword()

    /// The ``AccessToken/Scope`` for a module's records as text; empty for none.
    subscript(module: ModuleID) -> String {
      get { scopes[module.rawValue] ?? "" }
      set { scopes[module.rawValue] = newValue.isEmpty ? nil : newValue }
    }

    var details: AccessToken.Details {
      AccessToken.Details(
        name: name, scopes: scopes.compactMapValues(AccessToken.Scope.init(rawValue:)))
    }
  }

  /// The time until the token expires, unless it is revoked first.
  enum Lifetime: String, CaseIterable, Sendable {
    case month, year, unlimited

    var span: Seconds? {
      switch self {
      case .month: .days(30)
      case .year: .days(365)
      case .unlimited: nil
      }
    }
  }

  init(_ context: Context) {}

  func prepare(_ draft: inout Draft, in context: Context) throws {
    try draft.currentPassword.prove(in: context)
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let keys = try context.keys
    try draft.currentPassword.requireStill(of: keys.person, on: context)
    guard try AccessToken.all(by: keys, on: context).count < AccessToken.most else {
      throw Refusal.conflict(Text("tokens.too-many", ["limit": String(AccessToken.most)]))
    }
    let secret = try AccessToken.make(
      draft.details, expiresAt: draft.lifetime.span.map { context.now + $0 }, in: context)
    return Redirect(to: TokenList.path).showing(secret)
      .logging(SecurityEvent(.tokenMade, of: keys.person))
  }

  /// The page after the form: the secret and how to use it.
  private static func made(_ secret: String, _ context: Context) -> Page {
    Page(
      "tokens.made",
      """
      <section class="panel" role="status"><p>\(context.text("tokens.made.hint"))</p>\
      <p><code class="secret" id="secret" dir="ltr">\(secret)</code></p>\
      \(actions: context.copyButton("tokens.copy", of: "secret", copied: "tokens.copied"))\
      </section><p class="hint">\(context.text("tokens.made.use"))</p>\
      <p><code class="secret" dir="ltr">Authorization: Bearer …</code></p>\
      \(actions: context.button("tokens.done", to: TokenList.path))
      """,
      back: TokenList.path, assets: [.copy])
  }
}
