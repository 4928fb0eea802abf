/// An error that a handler throws for an invalid request or a violated rule; the portal shows it as
/// a page.
public enum Refusal: Error, Sendable, Equatable {
  /// 404: the record does not exist or belongs to another person.
  case notFound
  /// 403: the visitor's roles do not allow it.
  case forbidden
  /// 422: a field is invalid; the form is shown again with the text beside the field.
  case invalid(String, Text)
  /// 409: the request conflicts with another change; the form, if any, is shown again with the
  /// text.
  case conflict(Text)
  /// 410: the resource is used up or expired, such as a one-time link; the text explains how to go
  /// on.
  case gone(Text)
  /// 429: too many requests; the client may retry after the time span.
  case tooMany(retryAfter: Seconds)
  /// 400: the request cannot be parsed.
  case malformed
  /// 401, or a redirect to the sign-in page: the visitor is not signed in.
  case signedOut
}
