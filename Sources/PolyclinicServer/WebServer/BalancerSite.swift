import PolyclinicCore
import PolyclinicSystem

/// A configuration for a load balancer in front of several machines that serve the portal.
///
/// The directives are in `Templates/balancer.conf` and `Templates/haproxy.cfg`.
struct BalancerSite {
  let configuration: Configuration
  /// The machines as host names or addresses, each with a port if it is not the portal's.
  let machines: [String]
  /// The file with HAProxy's certificate, chain and private key.
  var combinedCertificate = "/etc/haproxy/polyclinic.pem"
  /// The file with the certificates of the authorities that the machines' certificates come from.
  var authorities = "/etc/ssl/certs/ca-certificates.crt"
  /// True if nginx listens on IPv6, too.
  var hasIPv6 = NginxSite.systemHasIPv6

  private var origin: Portal.Origin { configuration.server.origin }
  /// More than a machine's nginx takes for its own tries.
  private var timeout: Int { configuration.server.maxRequestSeconds + 10 }

  /// Returns the site for nginx. Throws ``ConfigurationError`` for a path or a machine that its
  /// syntax cannot express.
  func nginx() throws -> String {
    let server = configuration.server
    let port = ["\(origin.port)"] + (hasIPv6 ? ["[::]:\(origin.port)"] : [])
    return try Template(PackageResources.balancer_conf).filled([
      "machines": places().map { "server \($0) max_fails=2 fail_timeout=10s;" }
        .joined(separator: "\n"),
      "listen": port.map { "listen \($0) ssl http2;" }.joined(separator: "\n"),
      "host": origin.host, "origin": origin, "timeout": timeout,
      "certificate": PathSyntax.nginx.checked(server.certificate),
      "certificate_key": PathSyntax.nginx.checked(server.certificateKey),
      "authorities": PathSyntax.nginx.checked(authorities),
      "redirect": origin.port == 443
        ? """

        server {
          listen 80;\(hasIPv6 ? "\n  listen [::]:80;" : "")
          server_name \(origin.host);
          server_tokens off;
          access_log off;
          return 301 \(origin)$polyclinic_balancer_path;
        }
        """ : "",
    ])
  }

  /// Returns the whole configuration for HAProxy. Throws ``ConfigurationError`` for a path or a
  /// machine that its syntax cannot express.
  func haproxy() throws -> String {
    try Template(PackageResources.haproxy_cfg).filled([
      "machines": places().enumerated().map { "server machine\($0 + 1) \($1)" }
        .joined(separator: "\n"),
      "port": origin.port, "host": origin.host, "authority": origin.authority,
      "timeout": timeout, "certificate": PathSyntax.haproxy.checked(combinedCertificate),
      "authorities": PathSyntax.haproxy.checked(authorities),
      "redirect": origin.port == 443
        ? """

        frontend polyclinic_plain
          bind :80
          http-request redirect code 301 location \(origin)%[path]

        """ : "\n",
    ])
  }

  /// Returns the machines with their ports.
  private func places() throws -> [String] {
    guard !machines.isEmpty else {
      throw ConfigurationError("balancer", "needs the machines: name their hosts")
    }
    return try machines.map { machine in
      guard let place = Self.place(machine, port: origin.port) else {
        throw ConfigurationError(
          machine, "is not the name or the address of a host, with a port if need be")
      }
      return place
    }
  }

  /// Returns a host with its port; nil if it is none.
  static func place(_ machine: String, port: Int) -> String? {
    let named = /([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/
    if let found = machine.wholeMatch(of: named) {
      return "\(found.1)\(found.2 ?? ":\(port)")"
    }
    let isIPv6 = machine.contains(":") && IPAddress.isValid(machine)
    return isIPv6 ? "[\(machine)]:\(port)" : nil
  }
}

extension PathSyntax {
  /// The syntax of a word without quotation marks.
  static let haproxy = PathSyntax(program: "HAProxy", reserved: " \"'\\#$%")
}
