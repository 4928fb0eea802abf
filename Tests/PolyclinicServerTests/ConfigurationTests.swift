import Glibc
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicStore
import PolyclinicSystem
import PolyclinicTestSupport
import PolyclinicWeb
import Testing

@testable import PolyclinicServer

/// Modules and a minimal file for configuration tests.
enum Sample {
  static let modules: [Configuration.KnownModule] = [
    .init(
      id: "appointments",
      settings: [
        Setting("slot_minutes", .integer(5...120), default: 10),
        Setting("greeting", .text(limit: 5), default: "hello"),
        Setting("reminders", .boolean, default: true),
        Setting("view", .choice(["day", "week"]), default: "day"),
      ], hasRetention: true),
    .init(id: "contacts", settings: []),
    .init(
      id: "covid-stats", settings: [Setting("source", .url, default: "https://disease.sh")]),
  ]

  static let least = "clinic: { time_zone: Europe/Minsk }\n"

  static func parse(
    _ text: String, environment: [String: String] = [:]
  ) throws -> Configuration {
    try Configuration.parse(
      text, path: "/srv/portal/polyclinic.yaml", modules: modules, environment: environment)
  }
}

@Suite struct ConfigurationTests {
  @Test func `settings missing from the file have their defaults`() throws {
    let configuration = try Sample.parse(Sample.least)
    #expect(configuration.server.origin.description == "https://localhost:8443")
    #expect(configuration.server.socket == "/srv/portal/run/polyclinic.sock")
    #expect(configuration.database == .sqlite(path: "/srv/portal/data/polyclinic.sqlite"))
    #expect(configuration.vault.keyFile == "/srv/portal/keys/master.key")
    #expect(configuration.clinic.languages == [.english, .russian, .hebrew])
    #expect(configuration.mail == nil)
    #expect(configuration.backup.every == .hours(24))
    #expect(configuration.modules.count == 3)
  }

  @Test func `a PostgreSQL server with a password's file is read, and listed without the password`()
    throws
  {
    try Scratch.with { directory in
      try TextFile.create("kept secret\n", at: directory + "/password", mode: 0o600)
      let url = "postgresql://polyclinic@db1:5433,db2/clinic"
      let path = directory + "/polyclinic.yaml"
      func parse(_ text: String) throws -> Configuration {
        try Configuration.parse(text, path: path, modules: [], environment: [:])
      }
      let text = "database: { url: \"\(url)\", password_file: \"password\" }\n"
      let configuration = try parse(Sample.least + text)
      let address = try PostgreSQLAddress(parsing: url, passwordFile: directory + "/password")
      #expect(configuration.database == .postgresql(address))
      #expect(configuration.database.name == "clinic on db1:5433, db2:5432 as polyclinic")
      #expect(configuration.server.data == directory + "/data")
      #expect(configuration.listing.contains("  password_file: \"\(directory)/password\"\n"))
      #expect(!configuration.listing.contains("kept secret"))
      #expect(try parse(configuration.listing).database == configuration.database)
      chmod(directory + "/password", 0o640)
      let error = #expect(throws: ConfigurationError.self) { try parse(Sample.least + text) }
      #expect(error?.description.contains("database.password_file: Others may read") == true)
    }
  }

  @Test func `the portal's own files are beside the database's file, unless the file says where`()
    throws
  {
    #expect(try Sample.parse(Sample.least).server.data == "/srv/portal/data")
    let elsewhere = "database: { url: \"sqlite:/var/db/p.sqlite\" }\n"
    #expect(try Sample.parse(Sample.least + elsewhere).server.data == "/var/db")
    let given = try Sample.parse(Sample.least + elsewhere + "server: { data: \"own\" }\n")
    #expect(given.server.data == "/srv/portal/own")
    #expect(try Sample.parse(given.listing).server.data == "/srv/portal/own")
    let unit = SystemdUnit(configuration: given, executable: "/usr/bin/p", usesNetwork: false)
    #expect(
      try unit.text().contains("\"-/srv/portal/own\"") && unit.text().contains("\"-/var/db\""))
  }

  @Test func `the country is that of the time zone, unless the file names another`() throws {
    #expect(try Sample.parse(Sample.least).clinic.country == "BY")
    let other = try Sample.parse("clinic: { time_zone: Europe/Minsk, country: IL }")
    #expect(other.clinic.country == "IL")
    #expect(try Sample.parse(other.listing).clinic.country == "IL")
    let none = try Sample.parse("clinic: { time_zone: UTC }")
    #expect(try none.clinic.country.isEmpty && Sample.parse(none.listing).clinic.country.isEmpty)
  }

  @Test func `the list of time zones names the country of a zone`() {
    let list = "#a comment\nIL\t+314650+0351326\tAsia/Jerusalem\nBY\t+5354+02734\tEurope/Minsk\n"
    #expect(Zone("Asia/Jerusalem")?.country(in: list) == "IL")
    #expect(Zone("Europe/Minsk")?.country(in: list) == "BY")
    #expect(Zone("UTC")?.country(in: list) == nil)
  }

  @Test func `addresses are asked for later, unless the file says otherwise`() throws {
    #expect(try Sample.parse(Sample.least).addressRule == .later)
    let required = try Sample.parse(Sample.least + "accounts: { address: required }")
    #expect(required.addressRule == .required)
    #expect(try Sample.parse(required.listing).addressRule == .required)
  }

  @Test func `the clinic is asked for later, unless the file says otherwise`() throws {
    #expect(try Sample.parse(Sample.least).clinicRule == .later)
    let required = try Sample.parse(Sample.least + "accounts: { clinic: required }")
    #expect(required.clinicRule == .required && required.addressRule == .later)
    #expect(try Sample.parse(required.listing).clinicRule == .required)
  }

  @Test func `a module missing from the file is off and has default settings`() throws {
    let state = try Sample.parse(Sample.least).modules["appointments"]
    #expect(state?.isEnabled == false)
    #expect(try state?.settings.integer("slot_minutes") == 10)
  }

  @Test func `settings are read by their type`() throws {
    let configuration = try Sample.parse(
      Sample.least + """
        modules:
          appointments: { enabled: true, slot_minutes: 20, greeting: "12", view: week }
        """)
    let settings = try #require(configuration.modules["appointments"]?.settings)
    #expect(configuration.modules["appointments"]?.isEnabled == true)
    #expect(try settings.integer("slot_minutes") == 20)
    #expect(try settings.text("greeting") == "12")
    #expect(try settings.text("view") == "week")
    #expect(try settings.boolean("reminders"))
    #expect(throws: UndeclaredSetting.self) { try settings.integer("greeting") }
    #expect(throws: UndeclaredSetting.self) { try settings.text("unknown") }
  }

  @Test func `PORT changes the origin's port, and an invalid value is refused`() throws {
    let text = Sample.least + "server: { origin: \"https://clinic.example\" }\n"
    #expect(try Sample.parse(text).server.origin.description == "https://clinic.example")
    let moved = try Sample.parse(text, environment: ["PORT": "9443"])
    #expect(moved.server.origin.description == "https://clinic.example:9443")
    for port in ["0", "65536", "http", "-1"] {
      #expect(throws: ConfigurationError.self) {
        try Sample.parse(text, environment: ["PORT": port])
      }
    }
  }

  @Test func `the file is sought by --config, in DATA, here, and where a package has it`() throws {
    try withTemporaryDirectory { directory throws in
      let here = "\(directory)/here.yaml"
      let installed = "\(directory)/installed.yaml"
      func found(_ option: String? = nil, data: String? = nil) throws -> String {
        try Configuration.location(
          option: option, environment: data.map { ["DATA": $0] } ?? [:], places: [here, installed])
      }
      try TextFile.create("", at: installed, mode: 0o600)
      #expect(try found() == installed)
      try TextFile.create("", at: here, mode: 0o600)
      #expect(try found() == here)
      #expect(try found(data: "") == here)
      #expect(try found(data: "/srv/portal") == "/srv/portal/polyclinic.yaml")
      #expect(try found("x.yaml", data: "/srv/portal") == "x.yaml")
    }
  }

  @Test func `a file that is nowhere is an error that names all places`() {
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration.location(
        option: nil, environment: [:], places: ["/nowhere/a.yaml", "/nowhere/b.yaml"])
    }
    #expect(error?.description.contains("neither /nowhere/a.yaml nor /nowhere/b.yaml;") == true)
  }

  @Test func `POLYCLINIC_VAULT_KEY_FILE overrides the configured key file`() throws {
    let environment = ["POLYCLINIC_VAULT_KEY_FILE": "/run/credentials/master.key"]
    let configuration = try Sample.parse(Sample.least, environment: environment)
    #expect(configuration.vault.keyFile == "/run/credentials/master.key")
  }

  @Test func `all documented sections are read`() throws {
    let configuration = try Sample.parse(
      """
      server: { origin: "https://[::1]:8443", listen: "unix:/run/p.sock", workers: 3, threads: 8 }
      database: { url: "sqlite:/var/p.sqlite" }
      vault: { key_file: "../keys/master.key" }
      clinic: { name: "Р", languages: [he, ru], time_zone: "Asia/Kathmandu", contact: "a@b" }
      mail: { command: "/usr/sbin/sendmail -t -i", from: "a@b" }
      notify: { command: "/usr/local/bin/sms -q" }
      backup: { directory: "/backups", every: "90m", keep: 3 }
      useful_contacts:
        RU: [ { name: "112", phone: "112" }, { name: "site", url: "https://example.org/a" } ]
      """)
    #expect(configuration.server.origin.host == "[::1]")
    #expect(configuration.server.socket == "/run/p.sock")
    #expect(configuration.vault.keyFile == "/srv/keys/master.key")
    #expect(configuration.clinic.languages == [.hebrew, .russian])
    #expect(configuration.mail?.from == "a@b")
    #expect(configuration.notify?.command == "/usr/local/bin/sms -q")
    #expect(configuration.backup.every == .minutes(90))
    #expect(configuration.usefulContacts["RU"]?.map { $0.names[.hebrew] } == ["112", "site"])
    #expect(configuration.usefulContacts["RU"]?[1].url?.host == "example.org")
  }

  @Test func `a useful contact has one name or a name in each language`() throws {
    let configuration = try Sample.parse(
      Sample.least + """
        useful_contacts:
          EU: [ { name: { en: "Ambulance", ru: "Скорая" }, phone: "112", emergency: true } ]
          FR: [ { name: "SAMU", phone: "15", url: "https://sante.example" } ]
        """)
    let union = try #require(configuration.usefulContacts["EU"]?.first)
    #expect(union.names == [.english: "Ambulance", .russian: "Скорая"] && union.isEmergency)
    #expect(union.contact.call?.description == "tel:112" && union.contact.source == nil)
    #expect(union.contact.name.values["name"]?.string(in: .hebrew) == "Ambulance")
    let again = try Sample.parse(configuration.listing)
    #expect(again.usefulContacts == configuration.usefulContacts)
    #expect(configuration.listing.contains("name: \"SAMU\""))
  }

  @Test func `retention years are set per module and default to zero`() throws {
    #expect(try Sample.parse(Sample.least).retentionYears == ["appointments": 0])
    let configuration = try Sample.parse(Sample.least + "retention: { appointments_years: 5 }")
    #expect(configuration.retentionYears == ["appointments": 5])
    #expect(try Sample.parse(configuration.listing).retentionYears == ["appointments": 5])
  }

  @Test func `the sample configuration loads with the modules on that a new portal has`() throws {
    var modules = Sample.modules
    modules[2].isEnabledAtFirst = false
    let text = Configuration.sample(modules: modules, timeZone: "Europe/Minsk")
    let configuration = try Sample.parse(text)
    #expect(configuration.modules.filter { !$0.value.isEnabled }.keys.sorted() == ["covid-stats"])
    #expect(
      try Sample.parse(Sample.least).modules["appointments"]?.settings
        == configuration.modules["appointments"]?.settings)
  }

  @Test func `the sample of a server names all files below its directory`() throws {
    let text = Configuration.sample(
      modules: Sample.modules, timeZone: "Europe/Minsk", origin: "https://clinic.example",
      directory: "/var/lib/polyclinic")
    let configuration = try Sample.parse(text)
    let server = configuration.server
    #expect(server.origin == Portal.Origin(host: "clinic.example", port: 443))
    #expect(configuration.database == .sqlite(path: "/var/lib/polyclinic/data/polyclinic.sqlite"))
    let paths = [
      server.socket, server.certificate, server.certificateKey, configuration.vault.keyFile,
      configuration.backup.directory,
    ]
    #expect(paths.allSatisfy { $0.hasPrefix("/var/lib/polyclinic/") })
  }

  @Test func `the clinic's logo, colour and welcome are read and listed`() throws {
    try Scratch.with { scratch in
      let logo = scratch + "/logo.svg"
      try TextFile.create("<svg xmlns='http://www.w3.org/2000/svg'/>", at: logo, mode: 0o600)
      let text = """
        clinic:
          time_zone: Europe/Minsk
          logo: \(logo)
          accent: "#1D4ED8"
          welcome: { en: "Our town's clinic", he: "המרפאה שלנו" }

        """
      let clinic = try Sample.parse(text).clinic
      #expect(clinic.logo == logo && clinic.accent == "#1d4ed8")
      #expect(clinic.welcome == [.english: "Our town's clinic", .hebrew: "המרפאה שלנו"])
      #expect(try Sample.parse(Sample.parse(text).listing).clinic == clinic)
    }
    let one = try Sample.parse("clinic: { time_zone: Europe/Minsk, welcome: Hello }").clinic
    #expect(one.welcome[.russian] == "Hello")
  }

  @Test func `a logo that is no picture and an illegible colour are refused`() throws {
    for (line, expected) in [
      ("logo: \(Checkout.file("Package.swift"))", "must be an SVG or PNG file"),
      ("logo: /nowhere/logo.svg", "cannot be read"),
      ("accent: blue", "must be a colour"),
      ("accent: \"#ffcc00\"", "The nearest colour that passes is \"#"),
    ] {
      let error = #expect(throws: ConfigurationError.self) {
        try Sample.parse("clinic: { time_zone: Europe/Minsk, \(line) }\n")
      }
      #expect(error.map { "\($0)".contains(expected) } == true, "\(line)")
    }
  }

  @Test func `the listing loads as the same configuration`() throws {
    let text = Configuration.sample(modules: Sample.modules, timeZone: "Europe/Minsk")
    let configuration = try Sample.parse(
      text + "mail: { command: /bin/m, from: \"\\\"\\u0085\\\" <a@b>\" }\n"
        + "notify: { command: /bin/n }\n")
    let again = try Sample.parse(configuration.listing)
    #expect(again.server == configuration.server)
    #expect(again.clinic == configuration.clinic)
    #expect(again.mail == configuration.mail && again.notify == configuration.notify)
    #expect(again.modules == configuration.modules)
  }

  @Test(arguments: [
    "{ command: sendmail, from: a@b }", "{ command: \"/bin/m \\\"a b\", from: a@b }",
    "{ command: /bin/m, from: nobody }", "{ command: /bin/m, from: \"a@b\\r\\nBcc: c@d\" }",
    "{ command: /bin/m, from: \"a@b, c@d\" }", "{ command: /bin/m }",
  ])
  func `invalid mail settings are refused`(mail: String) {
    #expect(throws: ConfigurationError.self) { try Sample.parse(Sample.least + "mail: \(mail)\n") }
  }

  @Test func `the listing hides possible passwords in the mail command`() throws {
    let configuration = try Sample.parse(
      Sample.least + "mail: { command: \"/bin/m -t --password=secret secret\", from: a@b }\n")
    #expect(configuration.listing.contains("/bin/m -t …"))
    #expect(!configuration.listing.contains("secret"))
  }

  @Test func `the listing hides the query of a URL`() throws {
    let configuration = try Sample.parse(
      Sample.least
        + "modules: { covid-stats: { enabled: true, source: \"https://a.b/c?key=secret\" } }")
    #expect(configuration.listing.contains("https://a.b/c?"))
    #expect(!configuration.listing.contains("secret"))
  }
}
