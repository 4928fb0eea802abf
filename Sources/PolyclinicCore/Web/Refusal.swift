/// A visitor's mistake, or a rule that stands in the way: thrown by a handler, shown as its page.
public enum Refusal: Error, Sendable, Equatable {
  /// 404: there is no such record, or it is somebody else's.
  case notFound
  /// 403: the visitor's roles do not allow it.
  case forbidden
  /// 422: one field is not right; the form comes back with the text beside it.
  case invalid(String, Text)
  /// 409: something else came first; the form, where there was one, comes back with the text.
  case conflict(Text)
  /// 410: what was there, such as a link that works once, is used up or over; the text says what to do.
  case gone(Text)
  /// 429: too many at once or too often; the same may be asked again after the span.
  case tooMany(retryAfter: Seconds)
  /// 400: not understood.
  case malformed
  /// 401, or the way to the sign-in page: nobody is signed in.
  case signedOut
}
