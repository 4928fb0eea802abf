import PolyclinicCore

/// Who asks: a program by its token, or a page of the portal in a browser's session.
struct APICaller {
  let visitor: Visitor
  let keys: Keys
  /// Nil for a session.
  let token: AccessToken?

  /// A token wins over a session, where both are sent. Throws ``Gate/Rejection/signedOut`` and
  /// ``APIRefusal/unknownToken``.
  static func find(_ visit: Visit, by recent: RecentKeys) throws -> APICaller {
    guard let authorization = visit.wire.authorization else {
      try visit.identify()
      guard let session = visit.session else { throw Gate.Rejection.signedOut }
      return APICaller(visitor: session.visitor, keys: session.keys, token: nil)
    }
    guard let secret = secret(in: authorization),
      let bearer = try visit.unlessAltered({
        try visit.front.database.read {
          try AccessToken.find(secret, at: visit.now, by: recent, on: $0)
        }
      })
    else { throw APIRefusal.unknownToken }
    if let language = bearer.language, visit.wire.acceptLanguage.isEmpty {
      visit.answer(in: language)
    }
    visit.bearer = bearer
    return APICaller(visitor: bearer.visitor, keys: bearer.keys, token: bearer.token)
  }

  /// What stands behind `Bearer` (RFC 6750, 2.1).
  private static func secret(in authorization: String) -> String? {
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1].drop { $0 == " " })
  }

  /// Throws ``APIRefusal/scope(_:_:)`` where the token does not give that much.
  func check(_ scope: AccessToken.Scope, for module: ModuleID) throws {
    guard let token else { return }
    let given = token.details.scopes[module.rawValue]
    guard given == .write || given == scope else { throw APIRefusal.scope(scope, module) }
  }
}
