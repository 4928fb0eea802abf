import PolyclinicCore
import PolyclinicServing

/// The caller of the API: a program with a token, or a page of the portal in a browser's session.
struct APICaller {
  let admission: AdmittedRequest
  let visitor: Visitor
  let keys: Keys
  /// Nil for a session.
  let token: AccessToken?

  /// Nil for a request with neither a session nor a token.
  init?(_ admission: AdmittedRequest) {
    self.admission = admission
    if let bearer = admission.bearer {
      (visitor, keys, token) = (bearer.visitor, bearer.keys, bearer.token)
    } else if let session = admission.session {
      (visitor, keys, token) = (session.visitor, session.keys, nil)
    } else {
      return nil
    }
  }

  /// Throws ``Rejection/forbidden`` if the caller's roles do not include the access.
  func require(_ access: Access) throws {
    guard access.includes(visitor) else { throw Rejection.forbidden }
  }

  /// Throws ``APIRefusal/scope(_:_:)`` if the token's scope for the module is too small.
  func check(_ scope: AccessToken.Scope, for module: ModuleID) throws {
    guard let token else { return }
    let given = token.details.scopes[module.rawValue]
    guard given == .write || given == scope else { throw APIRefusal.scope(scope, module) }
  }
}
