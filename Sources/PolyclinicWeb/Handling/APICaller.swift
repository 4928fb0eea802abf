import PolyclinicCore
import PolyclinicServing

/// The caller of the API: a program with a token, or a page of the portal in a browser's session.
package struct APICaller {
  let visitor: Visitor
  let keys: Keys
  /// Nil for a session.
  let token: AccessToken?

  /// Nil for a request with neither a session nor a token.
  init?(_ admission: AdmittedRequest) {
    if let bearer = admission.bearer {
      (visitor, keys, token) = (bearer.visitor, bearer.keys, bearer.token)
    } else if let session = admission.session {
      (visitor, keys, token) = (session.visitor, session.keys, nil)
    } else {
      return nil
    }
  }

  /// Throws ``APIRefusal/scope(_:_:)`` if the token's scope for the module is too small.
  func check(_ scope: AccessToken.Scope, for module: ModuleID) throws {
    guard let token else { return }
    let given = token.details.scopes[module.rawValue]
    guard given == .write || given == scope else { throw APIRefusal.scope(scope, module) }
  }
}

extension AdmittedRequest {
  /// Admits an API request. A token takes precedence over a session if the request has both.
  ///
  /// Throws ``APIRefusal/unknownToken`` for an invalid token.
  static func program(
    _ wire: WireRequest, _ server: ServerContext, by keys: KeyCache
  ) throws -> AdmittedRequest {
    guard let authorization = wire.api.authorization else {
      return try identified(wire, server, by: keys)
    }
    return try bearing(secret(in: authorization), wire, server, by: keys)
  }

  /// Returns the credentials after `Bearer` (RFC 6750, 2.1).
  private static func secret(in authorization: String) -> String? {
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1].drop { $0 == " " })
  }
}
