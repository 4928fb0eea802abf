import Glibc
import PolyclinicCore
import PolyclinicWeb

/// The portal's site for nginx: a complete file to include in `http { }`.
///
/// The directives are in `Templates/site.conf` and the files that it is composed of.
struct NginxSite {
  let configuration: Configuration
  /// The directory of the access log and the error log.
  let logs: String
  var paths = SitePaths()
  /// True to listen on IPv6. If the kernel lacks IPv6, nginx does not start with such an address.
  var hasIPv6 = NginxSite.systemHasIPv6

  /// The number of workers that nginx asks before it gives up.
  private static let tries = 4
  /// The number of unused connections that each nginx process keeps.
  private static let kept = 32

  private var server: Configuration.Server { configuration.server }
  private var origin: Portal.Origin { server.origin }
  private var languages: [Language] { configuration.clinic.languages }

  /// Returns the text. Throws ``ConfigurationError`` for a path that nginx's syntax cannot express.
  func text() throws -> String {
    let fastcgi = try fastcgi()
    let errors = try NginxErrors(in: languages)
    return try Template(PackageResources.site_conf).filled([
      "descriptors": NginxCapacity.wanted.descriptors,
      "connections": NginxCapacity.wanted.connections,
      "servers": servers(Self.tries), "kept_servers": servers(Self.kept + Self.tries),
      "kept": Self.kept,
      "first_language": (languages.first ?? .english).code,
      "accepted_languages": acceptedLanguages,
      "languages": languages.map(\.code).joined(separator: "|"),
      "language_cookie": Cookies.language,
      "directions": errors.directions, "home": errors.home(), "titles": errors.titles(),
      "explanations": errors.explanations(), "problems": errors.problems(),
      "in_care": PersonInCare.pattern, "session_cookie": Cookies.session,
      "subdomains": server.hasStrictSubdomains ? "; includeSubDomains" : "",
      "words": paths.words.map(Self.escaped).joined(separator: "|"),
      "host": origin.host,
      "listen": listen,
      "server": directivesOfBothServers(),
      "fastcgi": fastcgi,
      "uploads": paths.uploads.map { try location(of: $0, fastcgi) }.joined(),
      "exports": exports(fastcgi),
      "redirect": redirect(),
      "monitors": server.balancers.map { "allow \($0);" }.joined(separator: "\n"),
    ])
  }

  private func servers(_ count: Int) throws -> String {
    let path = try PathSyntax.nginx.checked("unix:" + server.socket)
    return Array(repeating: "server \"\(path)\" max_fails=0;", count: count)
      .joined(separator: "\n")
  }

  /// The lines that choose a language from the browser's list.
  private var acceptedLanguages: String {
    let codes = languages.map { $0 == .hebrew ? "he|iw" : $0.code }
    let skipped = "^(?:(?!\\s*(?:\(codes.joined(separator: "|")))\\b)[^,]*,)*\\s*"
    return zip(languages, codes).map { "\"~*\(skipped)(?:\($1))\\b\" \($0.code);" }
      .joined(separator: "\n")
  }

  /// The addresses to listen on. A portal called localhost accepts only connections from this
  /// machine.
  private var listen: String {
    var addresses = [origin.isLocal ? "127.0.0.1:\(origin.port)" : "\(origin.port)"]
    if hasIPv6 { addresses.append("\(origin.isLocal ? "[::1]" : "[::]"):\(origin.port)") }
    return addresses.map { "listen \($0) ssl http2;" }.joined(separator: "\n")
  }

  private func directivesOfBothServers() throws -> String {
    try Template(PackageResources.server_conf).filled([
      "certificate": PathSyntax.nginx.checked(server.certificate),
      "certificate_key": PathSyntax.nginx.checked(server.certificateKey),
      "body_limit": server.maxBodyBytes,
      "body_buffer": Self.buffer(for: server.maxBodyBytes),
      "logs": PathSyntax.nginx.checked(logs),
      "origin": origin,
      "errors": NginxErrors.statuses.map(String.init).joined(separator: " "),
      "www": PathSyntax.nginx.checked(server.www),
      "balancers": server.balancers.map { "set_real_ip_from \($0);" }.joined(separator: "\n"),
      "real_address": server.balancers.isEmpty ? "" : "real_ip_header X-Forwarded-For;",
    ])
  }

  private func fastcgi() throws -> String {
    let limit = server.maxRequestSeconds
    return try Template(PackageResources.fastcgi_conf).filled([
      "seconds": limit, "timeout": limit + 5, "retry_timeout": max(1, limit / 2),
      "host": origin.host, "port": origin.port, "tries": Self.tries,
      // 502 leads to the location that tells whether a worker was reached.
      "errors": NginxErrors.statuses.filter { $0 != 502 }.map(String.init).joined(separator: " "),
    ])
  }

  private func location(of upload: UploadPath, _ fastcgi: String) throws -> String {
    let limit = server.maxBodyBytes + upload.limit
    return try Template(PackageResources.upload_conf).filled([
      "pattern": upload.expression, "body_limit": limit, "body_buffer": Self.buffer(for: limit),
      "fastcgi": fastcgi,
    ])
  }

  /// Returns the location of the exports; empty if no module has any.
  private func exports(_ fastcgi: String) throws -> String {
    if paths.exports.isEmpty { return "" }
    return try Template(PackageResources.exports_conf).filled([
      "in_care": PersonInCare.pattern,
      "paths": paths.exports.map(Self.escaped).joined(separator: "|"), "fastcgi": fastcgi,
    ])
  }

  private func redirect() throws -> String {
    guard origin.port == 443 else { return "" }
    return try "\n"
      + Template(PackageResources.redirect_conf).filled([
        "listen_ipv6": hasIPv6 ? "listen [::]:80;" : "", "host": origin.host,
      ])
  }

  /// Returns the size of a buffer that a body of this size never fills.
  private static func buffer(for body: Int) -> Int { body + 65_536 }

  private static func escaped(_ path: String) -> String { path.replacing(".", with: "\\.") }

  /// True if the kernel lists an interface with an IPv6 address.
  static var systemHasIPv6: Bool {
    let descriptor = open("/proc/net/if_inet6", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1
  }
}
