import Testing

@testable import PolyclinicServer

@Suite struct ConfigurationProblemTests {
  /// Lines that follow ``Sample/least`` in the file, and the expected parts of the message.
  private static let wrong: [(String, [String])] = [
    (
      "modules: { contcts: { enabled: true } }",
      [
        ":2:12: modules.contcts: unknown module. Did you mean \"contacts\"? "
          + "Known: appointments, contacts, covid-stats"
      ]
    ),
    ("modules: { xyz: { enabled: true } }", [":2:12: modules.xyz: unknown module. Known: app"]),
    (
      "modules:\n  appointments:\n    enabled: true\n    slot_minute: 5",
      [":5:5: modules.appointments.slot_minute: unknown setting. Did you mean \"slot_minutes\"?"]
    ),
    (
      "modules: { appointments: { enabled: true, slot_minutes: 4 } }",
      [":2:57: modules.appointments.slot_minutes: must be an integer from 5 to 120"]
    ),
    (
      "modules: { appointments: { enabled: true, slot_minutes: \"10\" } }",
      ["slot_minutes: must be an integer"]
    ),
    (
      "modules: { appointments: { enabled: true, view: wek } }",
      ["view: must be one of day, week. Did you mean \"week\"?"]
    ),
    (
      "modules: { appointments: { enabled: true, greeting: 12 } }",
      ["greeting: must be a text of at most 5 characters; put it in quotes"]
    ),
    (
      "modules: { covid-stats: { enabled: true, source: \"http://a.b\" } }",
      ["source: must be an https address"]
    ),
    (
      "modules: { covid-stats: { enabled: true, source: \"https://me:secret@a.b\" } }",
      ["source: must be an https address without name and password"]
    ),
    ("modules: { contacts: { enabled: maybe } }", ["enabled: must be true or false"]),
    ("modules: { contacts: }", [":2:12: modules.contacts: does not say whether it is on"]),
    ("modules: { contacts: true }", [":2:22: modules.contacts: must be a mapping"]),
    ("modules: [contacts]", [":2:10: modules: must be a mapping"]),
    (
      "modules:\n  contacts: { enabled: true }\n  contacts: { enabled: false }",
      [":3:3: contacts: is set more than once"]
    ),
    ("sever: { workers: 2 }", [":2:1: sever: unknown section. Did you mean \"server\"?"]),
    ("server: { worker: 2 }", [":2:11: server.worker: unknown key. Did you mean \"workers\"?"]),
    ("server: { workers: 0 }", [":2:20: server.workers: must be an integer from 1 to 64"]),
    ("server: { workers: two }", ["server.workers: must be an integer"]),
    ("server: { origin: \"http://a.b\" }", ["server.origin: must be https://"]),
    ("server: { origin: \"https://a.b/c\" }", ["server.origin: must be https://"]),
    ("server: { origin: \"https://a.b; }\" }", ["server.origin: must be https://"]),
    ("server: { listen: \"127.0.0.1:9000\" }", ["server.listen: must be unix:"]),
    (
      "server: { listen: \"unix:/\(String(repeating: "a", count: 120))\" }",
      ["server.listen: makes a path of 121 bytes"]
    ),
    ("database: { url: \"mysql://u@h/d\" }", ["database.url: must be sqlite: and a path, or"]),
    (
      "database: { url: \"postgresql://u:secret@h/d\" }",
      [":2:18: database.url: The address must not contain a password"]
    ),
    ("database: { url: \"postgresql://h/d\" }", ["database.url: The address names no user"]),
    (
      "database: { url: \"postgresql://u@h/d\", password_file: \"absent\" }",
      ["database.password_file: ", "/absent"]
    ),
    (
      "database: { password_file: \"p\" }", ["database.password_file: is for PostgreSQL alone"]
    ),
    ("mail: { from: \"a@b\" }", [":2:7: mail.command: is missing"]),
    ("notify: { from: \"a@b\" }", ["notify.command: is missing", "notify.from: unknown key"]),
    ("notify: { command: \"sms\" }", ["notify.command: must begin with"]),
    ("mail: { command: \"sendmail\", from: \"a@b\" }", ["mail.command: must begin with"]),
    ("backup: { every: \"soon\" }", ["backup.every: must be a number with s, m, h or d"]),
    ("backup: { every: 24 }", ["backup.every: must be a text"]),
    (
      "retention: { contacts_years: 5 }",
      [":2:14: retention.contacts_years: unknown key. Known: appointments_years"]
    ),
    (
      "retention: { appointment_years: 5 }",
      ["retention.appointment_years: unknown key. Did you mean \"appointments_years\"?"]
    ),
    (
      "retention: { appointments_years: 101 }",
      [":2:34: retention.appointments_years: must be an integer from 0 to 100"]
    ),
    ("retention: { appointments_years: 2.5 }", ["appointments_years: must be an integer"]),
    ("retention: { appointments_years: -1 }", ["appointments_years: must be an integer from 0"]),
    ("useful_contacts: { ru: [] }", ["useful_contacts.ru: must be a country's two capital"]),
    ("useful_contacts: { ru: [] }", [":2:20: useful_contacts.ru: ", "Did you mean \"RU\"?"]),
    ("useful_contacts: { UK: [] }", ["useful_contacts.UK: ", "Did you mean \"GB\"?"]),
    ("useful_contacts: { XX: [] }", ["useful_contacts.XX: must be a country's two capital"]),
    ("useful_contacts: { RU: [] }", [":2:24: useful_contacts.RU: must be a list of one or more"]),
    ("useful_contacts: { RU: \"112\" }", ["useful_contacts.RU: must be a list of one or more"]),
    (
      "useful_contacts: { RU: [ { nam: \"x\" } ] }",
      ["useful_contacts.RU.nam: unknown key. Did you mean \"name\"?"]
    ),
    ("useful_contacts: { RU: [ { phone: \"1\" } ] }", ["useful_contacts.RU.name: is missing"]),
    ("useful_contacts: { RU: [ { name: {}, phone: \"1\" } ] }", ["RU.name: is missing"]),
    (
      "useful_contacts: { RU: [ { name: { fr: \"x\" }, phone: \"1\" } ] }",
      ["useful_contacts.RU.name.fr: unknown key"]
    ),
    ("useful_contacts: { RU: [ { name: \"x\" } ] }", ["RU.phone: is missing; give a phone or"]),
    (
      "useful_contacts: { RU: [ { name: \"x\", url: \"https://a.b\", emergency: true } ] }",
      ["useful_contacts.RU.phone: is missing; an emergency contact has a phone"]
    ),
    (
      "useful_contacts: { RU: [ { name: \"x\", phone: \"ask\" } ] }",
      ["useful_contacts.RU.phone: must be a telephone number"]
    ),
    (
      "useful_contacts: { RU: [ { name: \"x\", phone: 112 } ] }",
      ["useful_contacts.RU.phone: must be a text of at most 50 characters; put it in quotes"]
    ),
    (
      "useful_contacts:\n  RU:\n    - { name: \"x\", url: \"javascript:alert(1)\" }",
      [":4:25: useful_contacts.RU.url: must be an https address"]
    ),
    (
      "useful_contacts: { RU: [ { name: \"x\", url: \"https://a\\\\b.c\" } ] }",
      ["useful_contacts.RU.url: must be an https address"]
    ),
    ("server: { workers: [ }", ["is not YAML"]),
    ("\tserver: 1", [":2:1: is indented with a tab, which YAML does not allow: use spaces"]),
    ("server:\r\n  \tworkers: 2", [":3:3: is indented with a tab"]),
    ("--- \nserver: {}", ["is not YAML: but found another document"]),
    (
      "server: { workers: 0, thread: 1 }\nmodules: { contcts: {} }",
      ["server.workers", "server.thread", "modules.contcts"]
    ),
  ]

  @Test(arguments: wrong)
  func `an error message names the line, the key and a remedy`(lines: String, expected: [String])
    throws
  {
    let error = try #require(throws: ConfigurationError.self) {
      try Sample.parse(Sample.least + lines)
    }
    #expect(error.description.hasPrefix("/srv/portal/polyclinic.yaml:"))
    for sentence in expected { #expect(error.description.contains(sentence)) }
    #expect(!error.description.contains("secret"))
  }

  @Test(arguments: [
    ("", "clinic.time_zone: is missing"),
    ("clinic: { time_zone: Europe/Minks }", "Did you mean \"Europe/Minsk\"?"),
    ("clinic: { time_zone: EST }", "unknown time zone"),
    (
      "clinic: { time_zone: UTC, languages: [en, fr] }", ":1:43: clinic.languages: unknown language"
    ),
    ("clinic: { time_zone: UTC, languages: [en, en] }", "\"en\" stands more than once"),
    ("clinic: { time_zone: UTC, languages: [] }", "must be a list of one or more of en, ru, he"),
    ("clinic: { time_zone: UTC, languages: en }", "must be a list"),
    ("clinic: { time_zone: UTC, country: XX }", "clinic.country: must be two letters"),
    ("accounts: { address: never }", "accounts.address: must be one of later, required"),
    (
      "guardianship: { review_at: 19 }", "guardianship.review_at: must not be above ends_at"
    ),
    ("accounts: { clinic: never }", "accounts.clinic: must be one of later, required"),
  ])
  func `an error in the clinic section is named`(text: String, expected: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try Sample.parse(text) }
    #expect(error.description.contains(expected))
  }

  @Test func `the error for a missing file mentions the --config option`() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.load("/nowhere/polyclinic.yaml", modules: [], environment: [:])
    }
    #expect(error.description.hasPrefix("/nowhere/polyclinic.yaml: cannot be read"))
    #expect(error.description.contains("--config"))
  }
}
