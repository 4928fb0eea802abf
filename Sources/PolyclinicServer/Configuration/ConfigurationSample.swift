import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

extension Configuration {
  /// Returns the file that a first run writes, with all modules that are enabled at first, and the
  /// default settings of each.
  ///
  /// - Parameter directory: The directory of all files that it names; empty for the directory of
  ///   the configuration.
  /// - Parameter database: The address of a database; nil for a SQLite file in the directory.
  static func sample(
    modules: [KnownModule], timeZone: String, secondFactor: SecondFactorRule = .staff,
    origin: String = "https://localhost:8443", directory: String = "", database: String? = nil
  ) -> String {
    let database = database ?? "sqlite:" + FilePath.join(directory, "data/polyclinic.sqlite")
    return """
      # Polyclinic's configuration. Relative paths are relative to this file.
      # After a change: polyclinic check, then polyclinic reload.

      server:
        # How browsers reach the portal, and where nginx does:
        origin: \(quoted(origin))
        listen: \(quoted("unix:" + FilePath.join(directory, "run/polyclinic.sock")))
        certificate: \(quoted(FilePath.join(directory, "certificate/certificate.pem")))
        certificate_key: \(quoted(FilePath.join(directory, "certificate/key.pem")))
        workers: 2
        threads: 4                              # of each worker

      database:
        # Or a server: "postgresql://polyclinic@db1.example/polyclinic", and password_file.
        url: \(quoted(database))

      vault:
        # Keep a copy elsewhere: nothing opens without it.
        key_file: \(quoted(FilePath.join(directory, "keys/master.key")))

      clinic:
        name: "Polyclinic"
        languages: [en, ru, he]                 # the first is for those who ask for none of them
        time_zone: "\(timeZone)"
        contact: ""                             # whom to ask about the portal and its data

      accounts:
        second_factor: \(secondFactor.rawValue)                    # who needs an app beside the password:
                                                # staff, everybody, or optional for nobody

      backup:
        directory: \(quoted(FilePath.join(directory, "backups")))
        every: "24h"
        keep: 14
      \(sampleRetention(modules))
      # Telephones and sites that pages show for a country, in place of the shipped ones:
      # useful_contacts:
      #   RU: [ { name: "…", phone: "103", emergency: true }, { name: "…", url: "https://…" } ]

      # A module that is not named here is off.
      modules:
      \(modules.map(sampleLine).joined(separator: "\n"))

      """
  }

  private static func sampleRetention(_ modules: [KnownModule]) -> String {
    let keys = modules.filter(\.hasRetention).map { "  \($0.id.retentionKey): 0" }
    if keys.isEmpty { return "" }
    let lines =
      [
        "",
        "# Years for which the law asks for records of people who were erased, without their names;",
        "# 0: nothing is kept.", "retention:",
      ] + keys + [""]
    return lines.joined(separator: "\n")
  }

  private static func sampleLine(_ module: KnownModule) -> String {
    let settings = module.settings.map { setting in
      let value =
        switch setting.defaultValue {
        case .integer(let number): String(number)
        case .boolean(let flag): String(flag)
        case .text(let text): quoted(text)
        }
      return "\(setting.key): \(value)"
    }
    return
      "  \(module.id): { \((["enabled: \(module.isEnabledAtFirst)"] + settings).joined(separator: ", ")) }"
  }
}
