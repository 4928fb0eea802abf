import PolyclinicCore
import PolyclinicPlaces
import PolyclinicPortal

extension Configuration {
  /// The effective configuration as YAML, with secrets masked.
  var listing: String {
    var lines = serverLines + houseLines
    if let mail {
      lines += [
        "mail:", "  command: \(Self.quoted(Self.maskedCommand(mail.command)))",
        "  from: \(Self.quoted(mail.from))",
      ]
    }
    if let notify {
      lines += ["notify:", "  command: \(Self.quoted(Self.maskedCommand(notify.command)))"]
    }
    lines += [
      "backup:", "  directory: \(Self.quoted(backup.directory))",
      "  every: \"\(backup.every.count)s\"",
      "  keep: \(backup.keep)",
      "storage:",
      "  person_bytes: \(storage.personBytes)",
      "  person_records: \(storage.personRecords)",
      "accounts:",
      "  second_factor: \(secondFactor.rawValue)",
      "  address: \(addressRule.rawValue)",
      "  clinic: \(clinicRule.rawValue)",
      "guardianship:",
      "  review_at: \(guardianship.review)",
      "  ends_at: \(guardianship.end)",
    ]
    lines += retentionLines + usefulContactLines + moduleLines
    return lines.map { $0 + "\n" }.joined()
  }

  private var serverLines: [String] {
    [
      "server:",
      "  origin: \(Self.quoted(server.origin.description))",
      "  machine: \(Self.quoted(server.machine))",
      "  balancers: [\(server.balancers.map(Self.quoted).joined(separator: ", "))]",
      "  listen: \(Self.quoted("unix:" + server.socket))",
      "  data: \(Self.quoted(server.data))",
      "  workers: \(server.workers)",
      "  threads: \(server.threads)",
      "  www: \(Self.quoted(server.www))",
      "  max_body_bytes: \(server.maxBodyBytes)",
      "  max_request_seconds: \(server.maxRequestSeconds)",
      "  max_memory_bytes: \(server.maxMemoryBytes)",
      "  certificate: \(Self.quoted(server.certificate))",
      "  certificate_key: \(Self.quoted(server.certificateKey))",
      "  hsts_subdomains: \(server.hasStrictSubdomains)",
    ]
  }

  private var houseLines: [String] {
    [
      "database:",
      "  url: \(Self.quoted(database.url))",
    ] + (database.passwordFile.map { ["  password_file: \(Self.quoted($0))"] } ?? []) + [
      "vault:",
      "  key_file: \(Self.quoted(vault.keyFile))",
      "clinic:",
      "  name: \(Self.quoted(clinic.name))",
      "  languages: [\(clinic.languages.map(\.code).joined(separator: ", "))]",
      "  time_zone: \(Self.quoted(clinic.zone.identifier))",
      "  contact: \(Self.quoted(clinic.contact))",
      "  country: \(Self.quoted(clinic.country))",
      "  logo: \(Self.quoted(clinic.logo))",
      "  accent: \(Self.quoted(clinic.accent))",
    ] + (clinic.welcome.isEmpty ? [] : ["  welcome: \(Self.name(clinic.welcome))"])
  }

  private var retentionLines: [String] {
    if retentionYears.isEmpty { return [] }
    let years = retentionYears.sorted { $0.key < $1.key }
    return ["retention:"] + years.map { "  \($0.key.retentionKey): \($0.value)" }
  }

  private var usefulContactLines: [String] {
    guard !usefulContacts.isEmpty else { return [] }
    var lines = ["useful_contacts:"]
    for (country, contacts) in usefulContacts.sorted(by: { $0.key < $1.key }) {
      lines.append("  \"\(country)\":")
      for contact in contacts {
        var fields = ["name: \(Self.name(contact.names))"]
        if let phone = contact.phone { fields.append("phone: \(Self.quoted(phone))") }
        if let url = contact.url { fields.append("url: \(Self.quoted(url.description))") }
        if contact.isEmergency { fields.append("emergency: true") }
        lines.append("    - { \(fields.joined(separator: ", ")) }")
      }
    }
    return lines
  }

  /// Returns one name if it is the same in all languages, otherwise a name for each.
  private static func name(_ names: [Language: String]) -> String {
    if let one = names.values.first, names.count == Language.allCases.count,
      names.values.allSatisfy({ $0 == one })
    {
      return quoted(one)
    }
    let pairs = Language.allCases.compactMap { language in
      names[language].map { "\(language.code): \(quoted($0))" }
    }
    return "{ \(pairs.joined(separator: ", ")) }"
  }

  private var moduleLines: [String] {
    guard !modules.isEmpty else { return [] }
    var lines = ["modules:"]
    for (id, state) in modules.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(id):")
      lines.append("    enabled: \(state.isEnabled)")
      for key in state.settings.keys {
        lines.append("    \(key): \(value(state.settings[key]))")
      }
    }
    return lines
  }

  private func value(_ value: Setting.Value?) -> String {
    switch value {
    case .integer(let number): String(number)
    case .boolean(let flag): String(flag)
    case .text(let text): Self.quoted(Self.masked(text))
    case nil: "null"
    }
  }

  /// Masks the query of an address, because it may contain an access key.
  private static func masked(_ text: String) -> String {
    guard text.hasPrefix("https://") || text.hasPrefix("http://"),
      let query = text.firstIndex(of: "?")
    else { return text }
    return text[..<query] + "?…"
  }

  /// Masks the arguments of a command, except short ones such as `-t`, which cannot be a secret.
  private static func maskedCommand(_ line: String) -> String {
    guard let command = DeliveryCommand(line) else { return "…" }
    return ([command.program] + command.arguments.map { $0.utf8.count < 4 ? $0 : "…" })
      .joined(separator: " ")
  }

  /// Returns a double-quoted YAML scalar (YAML 1.1, 5.6).
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
