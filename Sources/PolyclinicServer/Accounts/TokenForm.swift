import PolyclinicCore

/// A module whose records programs may be given.
struct ProgramAccess: Sendable {
  let module: ModuleID
  let title: Text

  init(_ module: any Module) {
    self.module = module.id
    title = module.title.spoken(by: module.id)
  }
}

/// What somebody says of a new token.
struct TokenDraft: Sendable {
  var name = ""
  var lifetime = Lifetime.year
  private var scopes: [String: String] = [:]
  var present = PresentPassword()

  /// How long it works, where it is not revoked.
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

  /// What it may do with a module's records: a ``AccessToken/Scope``, or nothing.
  subscript(module: ModuleID) -> String {
    get { scopes[module.rawValue] ?? "" }
    set { scopes[module.rawValue] = newValue.isEmpty ? nil : newValue }
  }

  var details: AccessToken.Details {
    AccessToken.Details(
      name: name, scopes: scopes.compactMapValues(AccessToken.Scope.init(rawValue:)))
  }

  static func form(_ programs: [ProgramAccess]) -> Form<TokenDraft> {
    let scopes = programs.map { program -> Field<TokenDraft> in
      let path: WritableKeyPath<TokenDraft, String> & Sendable = \.[program.module]
      return .choice(path, "scope-\(program.module)") { _ in
        [Choice("", .text("tokens.scope.none"))]
          + AccessToken.Scope.allCases.map {
            Choice($0.rawValue, .text(Text("tokens.scope.\($0.rawValue)")))
          }
      }.labelled(program.title)
    }
    let first = programs.first.map { "scope-\($0.module)" } ?? "name"
    return Form<TokenDraft>(
      TokenDraft(),
      .text(
        \.name, "name", required: true, limit: 100, autocomplete: "off", hint: "tokens.name.hint"
      )
      .labelled("tokens.name"),
      .choice(\.lifetime, "lifetime")
    ).adding(scopes).adding([.part(\.present, PresentPassword.form)]).requiring(first) {
      $0.scopes.isEmpty ? "tokens.error.no-scope" : nil
    }
  }
}
