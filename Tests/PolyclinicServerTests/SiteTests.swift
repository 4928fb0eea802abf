import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicWeb

@Suite struct SiteTests {
  private func configuration(
    _ server: String = "", directory: String = "/srv/portal"
  ) throws -> Configuration {
    try Configuration.parse(
      Sample.least + "server: { www: \"/srv/www\"\(server) }\n",
      path: directory + "/polyclinic.yaml", modules: [], environment: [:])
  }

  private func site(_ server: String = "", hasIPv6: Bool = true) throws -> String {
    try NginxSite(
      configuration: configuration(server), logs: "/var/log/nginx", hasIPv6: hasIPv6
    ).text()
  }

  @Test func `each security header is set once per server, always, and in no location`() throws {
    let added = try site().split(separator: "\n").filter { $0.contains("add_header") }
    #expect(added.allSatisfy { $0.hasPrefix("  add_header ") && $0.hasSuffix(" always;") })
    let headers = [
      "Content-Security-Policy", "Strict-Transport-Security", "X-Content-Type-Options",
      "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
      "Permissions-Policy", "Cache-Control", "Retry-After", "Allow",
    ]
    #expect(added.map { String($0.split(separator: " ")[1]) } == headers + headers)
  }

  @Test func `no FastCGI parameter is set twice`() throws {
    for location in ["location / {\n    if", "location ~ ^/(?:readyz|metrics)$ {"] {
      let names = try parameters(of: location)
      #expect(Set(names).count == names.count)
      #expect(names.contains("HTTP_PROXY"))
      #expect(!names.contains("PATH_TRANSLATED"))
    }
  }

  @Test func `only this machine may request /readyz and /metrics`() throws {
    let location = try part("location ~ ^/(?:readyz|metrics)$ {", of: site())
    #expect(location.contains("allow 127.0.0.1;\n    allow ::1;\n    deny all;\n"))
    #expect(
      try parameters(of: "location ~ ^/(?:readyz|metrics)$ {")
        == parameters(of: "location / {\n    if"))
  }

  @Test func `exports get larger buffers and at most 3 connections at once`() throws {
    let paths = SitePaths(exports: ["account/export", "contacts/export.vcf"])
    let site = try NginxSite(configuration: configuration(), logs: "/var/log/nginx", paths: paths)
      .text()
    let location = #"location ~ ^(?:/for/[0-9]+)?/(?:account/export|contacts/export\.vcf)$ {"#
    let text = try part(location, of: site)
    #expect(text.contains("fastcgi_buffers 8192 8k;"))
    #expect(text.contains("limit_conn polyclinic_exports 3;"))
    #expect(
      try parameters(of: location, in: site) == parameters(of: "location / {\n    if", in: site))
  }

  private func parameters(of location: String, in text: String? = nil) throws -> [Substring] {
    try part(location, of: text ?? site()).split(separator: "\n").compactMap { line in
      line.split(separator: " ").first == "fastcgi_param" ? line.split(separator: " ")[1] : nil
    }
  }

  /// Returns the text from `start` to the end of its block.
  private func part(
    _ start: String, of text: String, end: String = "\n  }"
  ) throws -> Substring {
    let rest = try text[#require(text.range(of: start)).lowerBound...]
    return rest[..<(try #require(rest.range(of: end))).lowerBound]
  }

  @Test func `an accepted request body is never written to disk`() throws {
    let text = try site(", max_body_bytes: 100000")
    #expect(text.contains("client_max_body_size 100000;"))
    #expect(text.contains("client_body_buffer_size 165536;"))
    #expect(text.contains("fastcgi_max_temp_file_size 0;"))
    #expect(try site().contains("client_max_body_size \(RequestChecks.bodyLimit);"))
    #expect(throws: ConfigurationError.self) {
      try site(", max_body_bytes: \(RequestChecks.bodyLimit + 1)")
    }
  }

  @Test func `requests that hash a password or reveal a login are limited by address`() throws {
    let text = try site()
    let map = try part("map \"$request_method $uri\" $polyclinic_entry", of: text, end: "\n}")
    let pattern = try #require(map.split(separator: "\"").first { $0.hasPrefix("~^POST") })
    let waits = try Regex(String(pattern.dropFirst()))
    for path in [
      "/login", "/register", "/setup/abc", "/reset/abc", "/account/edit", "/account/password",
      "/account/password/",
    ] { #expect("POST \(path)".firstMatch(of: waits) != nil) }
    for other in ["POST /account", "GET /login", "POST /account/password/x", "POST /logout"] {
      #expect(other.firstMatch(of: waits) == nil)
    }
  }

  @Test func `every location that passes requests on refuses chunked bodies with 411`() throws {
    let text = try site()
    let parts = text.components(separatedBy: "fastcgi_pass $polyclinic_workers;")
    #expect(parts.count > 2)
    for part in parts.dropLast() {
      let lines = part.split(separator: "\n")
      #expect(
        lines.dropLast().last?.hasSuffix("if ($http_transfer_encoding) { return 411; }") == true)
    }
  }

  @Test func `nginx has more servers to ask than it keeps unused connections`() throws {
    let kept = try part("upstream polyclinic_kept {", of: site(), end: "\n}")
    let limit = try #require(kept.firstMatch(of: /keepalive ([0-9]+);/)?.1)
    let servers = kept.split(separator: "\n").filter { $0.hasPrefix("  server ") }.count
    #expect(try servers >= #require(Int(limit)) + 4)
    #expect(try site().contains("fastcgi_next_upstream_tries 4;"))
  }

  @Test func `only a GET or HEAD is sent on a kept connection`() throws {
    let map = try part("map $request_method $polyclinic_workers {", of: site(), end: "\n}")
    #expect(map.contains("default polyclinic;\n  \"~^(?:GET|HEAD)$\" polyclinic_kept;"))
    #expect(try !part("upstream polyclinic {", of: site(), end: "\n}").contains("keepalive"))
  }

  @Test func `nginx gets 16384 connections, or fewer if the system's limit is lower`() throws {
    let site = try site()
    #expect(
      site.contains("#   worker_rlimit_nofile 32768;\n#   events { worker_connections 16384; }"))
    let all = NginxConfiguration(
      configuration: try configuration(), directory: "/srv/portal/run/nginx", user: nil,
      capacity: NginxCapacity.wanted.within(4_096))
    #expect(
      try all.text().contains("worker_rlimit_nofile 4096;\nevents { worker_connections 2048; }"))
    #expect(NginxCapacity.wanted.within(1 << 20) == .wanted)
  }

  @Test func `the log shows only the declared part of a path`() throws {
    let page: Route.Handler = { _ in .page("title", "") }
    let contacts = SampleModule(
      id: "contacts", routes: [.get("", page), .get("{id}/edit", page), .get("export.vcf", page)])
    let installation = try Installation(
      builtIn: [DashboardModule(), HealthModule(.none)],
      plugins: [contacts],
      isEnabled: { _ in true },
      settings: { _ in Portal.Settings([]) })
    let paths = SitePaths(installation)
    #expect(paths.exports == ["contacts/export.vcf"])
    let text = try NginxSite(configuration: configuration(), logs: "/var/log/nginx", paths: paths)
      .text()
    let map = try part("map $request_uri $polyclinic_path", of: text, end: "\n}")
    let pattern = try #require(map.split(separator: "\"").first { $0.hasPrefix("~^") })
    let known = try Regex(String(pattern.dropFirst()))
    func logged(_ path: String) -> String {
      path.firstMatch(of: known)?.output[1].substring.map(String.init) ?? "-"
    }
    for route in installation.router.patterns {
      let declared = route.text.split(separator: "/", omittingEmptySubsequences: false)
      let whole = declared.map { $0 == "{id}" ? "1234567" : String($0) }
      let expected = whole.prefix { !$0.contains("{") }.joined(separator: "/")
      #expect(logged(whole.joined(separator: "/") + "?q=words") == expected)
    }
    #expect(logged("/") == "/")
    #expect(logged("/ivanov") == "-")
    #expect(logged("/contacts/ivanov/edit") == "/contacts")
    #expect(logged("/contacts/37529111") == "/contacts")
    #expect(logged("/contactsx") == "-")
  }

  @Test func `one address has at most 100 requests at once`() throws {
    let lines = try site().split(separator: "\n")
    #expect(lines.filter { $0 == "  limit_conn polyclinic_addresses 100;" }.count == 2)
    #expect(lines.contains("limit_conn_zone $polyclinic_network zone=polyclinic_addresses:10m;"))
  }

  @Test(
    arguments: [
      ("2001:db8:1:2:a:b:c:d", "2001:db8:1:2:"), ("2001:db8:1:2::7", "2001:db8:1:2:"),
      ("2001:db8:1::7", "2001:db8:1:"), ("fe80::1", "fe80:"), ("::1", nil), ("203.0.113.7", nil),
    ] as [(String, String?)])
  func `an IPv6 address counts by its /64 network, an IPv4 address as a whole`(
    _ address: String, _ network: String?
  ) throws {
    let map = try part("map $remote_addr $polyclinic_network", of: try site(), end: "\n}")
    let patterns = try map.split(separator: "\"").filter { $0.hasPrefix("~^") }.map {
      try Regex(String($0.dropFirst()))
    }
    #expect(patterns.count == 2)
    let found = patterns.lazy.compactMap { address.firstMatch(of: $0)?.output[1].substring }.first
    #expect(found.map(String.init) == network)
  }

  @Test func `a localhost site listens only on loopback, a public site on all addresses`() throws {
    #expect(try site().contains("listen 127.0.0.1:8443 ssl http2;\n  listen [::1]:8443 ssl http2;"))
    #expect(!(try site(hasIPv6: false).contains("[::1]:8443")))
    let open = try site(", origin: \"https://clinic.example\"")
    #expect(open.contains("listen 443 ssl http2;\n  listen [::]:443 ssl http2;"))
    #expect(open.contains("return 301 https://clinic.example$polyclinic_bare;"))
  }

  @Test(arguments: [("", ""), (", hsts_subdomains: true", "; includeSubDomains")])
  func `HSTS includes subdomains if the configuration says so`(
    _ setting: String, _ words: String
  ) throws {
    #expect(try site(setting).contains("on \"max-age=31536000\(words)\";"))
  }

  @Test func `nginx chooses only among the portal's languages`() throws {
    let text = try NginxSite(
      configuration: Configuration.parse(
        "clinic: { time_zone: UTC, languages: [ru] }", path: "/c", modules: [], environment: [:]),
      logs: "/var/log/nginx"
    ).text()
    #expect(text.contains("default ru;"))
    #expect(!text.contains("he he;"))
  }

  @Test(arguments: [404, 411, 413, 502, 503])
  func `nginx's own errors have the catalog's words in each language`(status: Int) throws {
    let text = try NginxSite(
      configuration: Configuration.parse(
        "clinic: { time_zone: UTC, languages: [en, ru, he] }", path: "/c", modules: [],
        environment: [:]),
      logs: "/var/log/nginx"
    ).text()
    let pages = try part(
      "map \"$status $polyclinic_language\" $polyclinic_title {", of: text, end: "\n}")
    for language in Language.allCases {
      let title = try Phrasebook(Catalog.server).string(Text("error.\(status).title"), in: language)
      #expect(pages.contains("\n  \"\(status) \(language.code)\" \"\(title)\";"))
    }
    #expect(text.contains("\\\"status\\\":\(status)"), "for programs")
    #expect(text.contains("error_page 400 403") && text.contains(" \(status) "))
  }

  @Test func `only the page of a failure names its request`() throws {
    let lines = try site().split(separator: "\n")
    let naming = lines.filter { $0.contains("<code>$request_id</code>") }
    #expect(!naming.isEmpty && naming.allSatisfy { $0.hasPrefix("  \"5") })
    #expect(!lines.contains { $0.contains("⟦") }, "every error has words")
  }

  @Test func `a path with a variable of nginx or systemd is refused`() throws {
    var configuration = try configuration()
    configuration.server.www = "/srv/$host"
    #expect(throws: ConfigurationError.self) {
      try NginxSite(configuration: configuration, logs: "/var/log/nginx").text()
    }
    #expect(throws: ConfigurationError.self) {
      try SystemdUnit(configuration: configuration, executable: "/srv/%h", usesNetwork: false)
        .text()
    }
  }

  @Test func `the systemd unit may write only to backups, data and run`() throws {
    let text = try SystemdUnit(
      configuration: configuration(), executable: "/usr/bin/polyclinic", usesNetwork: false
    )
    .text()
    #expect(
      text.contains(
        "ReadWritePaths=\"-/srv/portal/backups\" \"-/srv/portal/data\" \"-/srv/portal/run\"\n"))
    #expect(
      text.contains(
        "ExecStart=\"/usr/bin/polyclinic\" serve --config \"/srv/portal/polyclinic.yaml\"\n"))
  }

  @Test func `the systemd unit allows network and home directories only if needed`() throws {
    let unit = SystemdUnit(
      configuration: try configuration(), executable: "/usr/bin/polyclinic", usesNetwork: false)
    #expect(
      try unit.text().contains("IPAddressDeny=any\nRestrictAddressFamilies=AF_UNIX AF_NETLINK\n"))
    #expect(try unit.text().contains("ProtectHome=yes\n"))
    var sending = try configuration(directory: "/run/user/1000/portal")
    sending.mail = Configuration.Mail(command: "/usr/bin/msmtp -t", from: "desk@clinic.example")
    let text = try SystemdUnit(
      configuration: sending, executable: "/usr/bin/polyclinic", usesNetwork: false
    ).text()
    #expect(text.contains("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"))
    #expect(!text.contains("IPAddressDeny"))
    var texting = try configuration()
    texting.notify = Configuration.Notify(command: "/usr/local/bin/sms")
    let unbound = SystemdUnit(
      configuration: texting, executable: "/usr/bin/polyclinic", usesNetwork: false)
    #expect(try !unbound.text().contains("IPAddressDeny"))
    let fetching = SystemdUnit(
      configuration: try configuration(), executable: "/usr/bin/polyclinic", usesNetwork: true)
    #expect(try !fetching.text().contains("IPAddressDeny"))
    #expect(text.contains("ProtectHome=read-only\n"))
  }

  @Test(arguments: [
    (
      "postgresql:///clinic?host=/run/postgresql&user=p",
      "IPAddressDeny=any\nRestrictAddressFamilies=AF_UNIX AF_NETLINK\n"
    ),
    (
      "postgresql://p@192.0.2.7,[2001:db8::7]:5433,localhost/clinic",
      "IPAddressDeny=any\nIPAddressAllow=192.0.2.7 2001:db8::7 localhost\n"
        + "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"
    ),
    (
      "postgresql://p@192.0.2.7,db.example/clinic",
      "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"
    ),
  ])
  func `the systemd unit allows the database's hosts, and every address if one has a name`(
    url: String, lines: String
  ) throws {
    var configuration = try configuration()
    configuration.database = .postgresql(try PostgreSQLAddress(parsing: url))
    let text = try SystemdUnit(
      configuration: configuration, executable: "/usr/bin/polyclinic", usesNetwork: false
    ).text()
    #expect(text.contains("\n\(lines)"))
    #expect(text.contains("IPAddressDeny") == lines.contains("IPAddressDeny"))
    #expect(text.contains("After=network.target postgresql.service\n"))
  }

  @Test(
    .enabled(if: FilePath.exists("/usr/bin/systemd-analyze"), "systemd-analyze is not installed"),
    arguments: [false, true])
  func `systemd-analyze rates the unit's exposure at 1.5 or lower`(sendsMail: Bool) throws {
    try withTemporaryDirectory { directory in
      var configuration = try configuration(directory: directory)
      if sendsMail {
        configuration.mail = Configuration.Mail(
          command: "/usr/bin/msmtp", from: "desk@clinic.example")
      }
      let path = "\(directory)/polyclinic.service"
      let unit = SystemdUnit(
        configuration: configuration, executable: "/usr/bin/true", usesNetwork: false)
      try TextFile.create(unit.text(), at: path, mode: 0o644)
      // The threshold is in tenths; a worse unit makes the command fail.
      let analysis = Program(
        path: "/usr/bin/systemd-analyze",
        arguments: ["security", "--offline=true", "--no-pager", "--threshold=15", path])
      let child = try ChildProcess("systemd-analyze", analysis, output: .nothing)
      #expect(child.wait() == 0)
    }
  }

  @Test(arguments: [
    ", origin: \"https://localhost:8443\"", ", origin: \"https://clinic.example\"",
    ", origin: \"https://[::1]:9443\", max_body_bytes: 65536",
  ])
  func `nginx accepts the configuration that a first run writes`(server: String) throws {
    try Scratch.with { scratch in
      let directory = scratch + "/data of the clinic"
      let data = DataDirectory(path: directory, modules: Sample.modules)
      try data.make()
      let configuration = try configuration(server, directory: directory)
      let environment = ProcessInfo.processInfo.environment
      try data.makeParts(
        of: configuration, paths: SitePaths(), environment: environment)
      let nginx = try Program.path(of: "nginx", environment: environment)
      let check = try ChildProcess(
        "nginx",
        Program(
          path: nginx, arguments: ["-t", "-q", "-e", "stderr", "-c", data.nginxPath],
          environment: environment))
      #expect(check.wait() == 0)
    }
  }

  @Test func `a first run creates missing files privately and keeps existing ones`() throws {
    try Scratch.with { scratch in
      let data = DataDirectory(path: scratch + "/a/b", modules: Sample.modules)
      let environment = ProcessInfo.processInfo.environment
      func make() throws {
        try data.make()
        let configuration = try Configuration.load(
          data.configurationPath, modules: Sample.modules, environment: environment)
        try data.makeParts(
          of: configuration, paths: SitePaths(), environment: environment)
      }
      try make()
      let files = ["polyclinic.yaml", "certificate/certificate.pem", "certificate/key.pem"]
      let before = try files.map { try TextFile.read(data.path + "/" + $0) }
      try make()
      #expect(try files.map { try TextFile.read(data.path + "/" + $0) } == before)
      #expect(try mode(data.path + "/certificate/key.pem") == 0o600)
      #expect(try mode(data.path) & 0o007 == 0)
      #expect(try mode(data.path + "/keys") == 0o700)
      #expect(try mode(data.path + "/data") == 0o700)
    }
  }

  @Test func `a key without its certificate stops a first run`() throws {
    try Scratch.with { directory in
      try TextFile.create("", at: directory + "/key.pem", mode: 0o600)
      let certificate = Certificate(
        path: directory + "/certificate.pem", keyPath: directory + "/key.pem", host: "localhost")
      #expect(throws: FirstRunError.self) { try certificate.makeIfMissing(environment: [:]) }
    }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
