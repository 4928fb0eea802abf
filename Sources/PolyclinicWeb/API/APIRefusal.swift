import PolyclinicCore

/// A reason to refuse an API request, in addition to ``Rejection``.
enum APIRefusal: Error, Equatable {
  /// 401: the token is unknown, revoked or expired.
  case unknownToken
  /// 403: the token is not valid for this module, or allows only reading.
  case scope(AccessToken.Scope, ModuleID)
  /// 403: the session's anti-forgery token is missing or wrong.
  case forged
  /// 400: the body is not JSON.
  case notJSON(offset: Int)
  /// 405, with the methods that are allowed.
  case method([Request.Method])
  /// 412: the record has changed since the client read it.
  case changed
  /// 422: the idempotency key was used for a different request.
  case otherRequest
  /// 422: a header or a query parameter is invalid.
  case parameter(String)
  /// 428: `If-Match` is missing.
  case unconditional
}
