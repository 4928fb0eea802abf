import PolyclinicCore

/// Why a program's request goes no further, beside what stops a browser's too.
enum APIRefusal: Error, Equatable {
  /// 401: the token is not one of ours, was revoked or has run out.
  case unknownToken
  /// 403: the token is not for this module, or only for reading.
  case scope(AccessToken.Scope, ModuleID)
  /// 403: the session's anti-forgery token is missing or wrong.
  case forged
  /// 400: the body is not JSON.
  case notJSON(offset: Int)
  /// 405, with what there is.
  case method([Request.Method])
  /// 412: the record is not any more what it was.
  case changed
  /// 422: the key came with another request.
  case otherRequest
  /// 422: something is wrong with what is not in the body.
  case parameter(String)
  /// 428: `If-Match` is missing.
  case unconditional
}
