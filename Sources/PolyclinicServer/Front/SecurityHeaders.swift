/// What every answer carries, static files and error pages included.
///
/// nginx adds them, so that they stand in one place and none is doubled. The application sets
/// `Cache-Control`, `Retry-After`, `Allow` and, for an upload that it shows, a `Content-Security-Policy`
/// of its own: where it did, nginx adds none.
enum SecurityHeaders {
  /// Nothing but what the portal itself serves; neither inline styles nor inline scripts.
  static let contentSecurityPolicy = [
    "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'",
    "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "frame-ancestors 'none'",
    "base-uri 'none'",
  ].joined(separator: "; ")

  /// A position is asked for by the map of clinics; nothing else of the device is.
  static let permissionsPolicy =
    "camera=(), geolocation=(self), microphone=(), payment=(), usb=(), browsing-topics=()"

  /// Names with values as nginx writes them: those with a variable may come out empty, and then
  /// are not sent.
  static let all: [(name: String, value: String)] = [
    ("Content-Security-Policy", "$polyclinic_policy"),
    ("Strict-Transport-Security", "$polyclinic_transport"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", permissionsPolicy),
    ("Cache-Control", "$polyclinic_cache"),
    ("Retry-After", "$polyclinic_retry"),
    ("Allow", "$polyclinic_allow"),
  ]
}
