import Foundation
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem

/// The configuration of load balancers, as the programs themselves judge it.
@Suite struct BalancerSiteTests {
  private func site(
    _ machines: [String], origin: String = "https://clinic.example", in directory: String = "/srv"
  ) throws -> BalancerSite {
    let server = "server: { www: \"/srv/www\", origin: \"\(origin)\" }\n"
    let configuration = try Configuration.parse(
      Sample.least + server, path: directory + "/polyclinic.yaml", modules: [], environment: [:])
    return BalancerSite(configuration: configuration, machines: machines)
  }

  /// Runs a program, and returns its exit status.
  private func run(_ name: String, _ arguments: [String]) throws -> Int32? {
    let environment = ProcessInfo.processInfo.environment
    let path = try Program.path(of: name, environment: environment)
    let check = try ChildProcess(
      name, Program(path: path, arguments: arguments, environment: environment))
    return check.wait()
  }

  @Test(arguments: ["https://clinic.example", "https://clinic.example:8443"])
  func `nginx accepts its configuration`(origin: String) throws {
    try Scratch.with { scratch in
      var site = try site(["127.0.0.1", "::1", "127.0.0.2:8443"], origin: origin, in: scratch)
      let server = site.configuration.server
      try OpenFile.make(directory: FilePath.directory(of: server.certificate))
      try Certificate(
        path: server.certificate, keyPath: server.certificateKey, host: "clinic.example"
      ).makeIfMissing(environment: ProcessInfo.processInfo.environment)
      site.authorities = server.certificate
      let text = try site.nginx()
        .replacing("/var/log/nginx/", with: scratch + "/")
      let path = scratch + "/nginx.conf"
      try TextFile.create(
        "pid \"\(scratch)/pid\"; events { }\nhttp {\n\(text)\n}\n", at: path, mode: 0o600)
      #expect(try run("nginx", ["-t", "-q", "-e", "stderr", "-c", path]) == 0)
    }
  }

  @Test(
    .enabled(if: FilePath.exists("/usr/sbin/haproxy"), "HAProxy is not installed"),
    arguments: ["https://clinic.example", "https://clinic.example:8443"])
  func `HAProxy accepts its configuration`(origin: String) throws {
    try Scratch.with { scratch in
      var site = try site(["127.0.0.1", "::1", "b.invalid:8443"], origin: origin, in: scratch)
      let (certificate, key) = (scratch + "/certificate.pem", scratch + "/key.pem")
      try Certificate(path: certificate, keyPath: key, host: "clinic.example")
        .makeIfMissing(environment: ProcessInfo.processInfo.environment)
      site.authorities = certificate
      site.combinedCertificate = scratch + "/both.pem"
      try TextFile.create(
        TextFile.read(certificate) + TextFile.read(key), at: site.combinedCertificate, mode: 0o600)
      try TextFile.create(site.haproxy() + "\n", at: scratch + "/haproxy.cfg", mode: 0o600)
      #expect(try run("/usr/sbin/haproxy", ["-c", "-q", "-f", scratch + "/haproxy.cfg"]) == 0)
    }
  }

  @Test func `a balancer tells the client's address and keeps what only machines may ask`() throws {
    let site = try site(["a", "b"])
    let nginx = try site.nginx()
    #expect(nginx.contains("proxy_set_header X-Forwarded-For $remote_addr;"))
    #expect(nginx.contains("location ~ ^/(?:readyz|metrics)$ { return 404; }"))
    #expect(
      nginx.contains("server a:443 max_fails=2") && nginx.contains("server b:443 max_fails=2"))
    let haproxy = try site.haproxy()
    #expect(haproxy.contains("http-request set-header X-Forwarded-For %[src]"))
    #expect(haproxy.contains("http-check send meth GET uri /readyz"))
    #expect(haproxy.contains("disable-l7-retry unless { method GET HEAD }"))
  }

  @Test(arguments: ["a b", "a;", "$x", "-c", "a:b", "a\n", ""])
  func `a machine whose name is no host is refused`(machine: String) throws {
    #expect(throws: ConfigurationError.self) { try site([machine]).nginx() }
    #expect(throws: ConfigurationError.self) { try site([machine]).haproxy() }
  }

  @Test func `without machines there is no configuration`() throws {
    #expect(throws: ConfigurationError.self) { try site([]).haproxy() }
  }

  @Test func `a machine trusts only the balancers that its configuration names`() throws {
    func text(_ server: String) throws -> String {
      let configuration = try Configuration.parse(
        Sample.least + "server: { www: \"/srv/www\"\(server) }\n", path: "/srv/polyclinic.yaml",
        modules: [], environment: [:])
      return try NginxSite(configuration: configuration, logs: "/var/log/nginx").text()
    }
    #expect(try !text("").contains("real_ip"))
    let behind = try text(", balancers: [\"192.0.2.7\", \"2001:db8::/64\"]")
    #expect(behind.contains("set_real_ip_from 192.0.2.7;\n  set_real_ip_from 2001:db8::/64;\n"))
    #expect(behind.contains("real_ip_header X-Forwarded-For;"))
    #expect(behind.contains("allow 2001:db8::/64;\n    deny all;"))
    for wrong in ["[\"balancer\"]", "[\"192.0.2.7/33\"]", "[\"192.0.2.7; x\"]", "\"192.0.2.7\""] {
      #expect(throws: ConfigurationError.self) { try text(", balancers: \(wrong)") }
    }
  }
}
