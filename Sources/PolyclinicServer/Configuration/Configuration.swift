import PolyclinicCore
import PolyclinicPlaces
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// The configuration, read and validated once. All paths in it are absolute.
package struct Configuration: Sendable {
  /// The path of the configuration file.
  var path: String
  var server: Server
  var database: Database
  var vault: Vault
  var clinic: Portal.Organization
  /// The settings for e-mail; nil to keep messages only in the portal's inbox.
  var mail: Mail?
  /// The settings for lines to telephones; nil to send none.
  var notify: Notify?
  var backup: Backup
  var storage: Storage
  /// The accounts that need a second factor.
  var secondFactor: SecondFactorRule
  /// The time at which people are asked for their postal address.
  var addressRule: AskingRule
  /// The time at which people choose their clinic.
  var clinicRule: AskingRule
  /// The ages at which a parent's rights to act for a child change.
  var guardianship: GuardianshipAges
  /// The retention in years of an erased person's records, for modules with such records.
  var retentionYears: [ModuleID: Int]
  /// The contacts that replace the shipped ones, by ISO 3166-1 alpha-2 code or `EU`.
  var usefulContacts: [String: [UsefulContact]]
  /// Every module of this program, enabled or not.
  var modules: [ModuleID: ModuleState]

  struct Server: Sendable, Hashable {
    var origin: Portal.Origin
    /// The name of this machine among those that share a database.
    var machine: String
    /// The addresses and networks of the load balancers in front of this machine. nginx believes what
    /// they say about the client's address.
    var balancers: [String]
    /// The path of the Unix socket between nginx and the workers.
    var socket: String
    /// The directory of the socket, which also holds the supervisor's files.
    var runDirectory: RunDirectory { RunDirectory(FilePath.directory(of: socket)) }
    /// The directory of the portal's own files: kept releases, availability, drafts.
    var data: String
    var workers: Int
    /// The number of threads in each worker.
    var threads: Int
    /// The directory of the files that nginx serves itself.
    var www: String
    /// The largest request body that nginx accepts, in bytes; at most `RequestChecks.bodyLimit`.
    var maxBodyBytes: Int
    /// The longest time for one request, in seconds. A worker that exceeds it ends itself.
    var maxRequestSeconds: Int
    /// The memory limit for the data of one process, in bytes. A process that exceeds it ends.
    var maxMemoryBytes: Int
    /// The certificate with its chain, and its private key, in PEM.
    var certificate: String
    var certificateKey: String
    /// True if the HSTS header includes all subdomains, so that browsers use HTTPS for them too.
    var hasStrictSubdomains: Bool

    /// The number of requests that may wait for a thread. Even if each one saves to a slow disk,
    /// they are answered within a second or two.
    var backlog: Int { 32 * workers * threads }
  }

  package enum Database: Sendable, Hashable {
    case sqlite(path: String)
    case postgresql(PostgreSQLAddress)
  }

  struct Vault: Sendable, Hashable {
    var keyFile: String
  }

  struct Mail: Sendable, Hashable {
    /// A program with its arguments that reads a message from its standard input.
    var command: String
    var from: String
  }

  struct Notify: Sendable, Hashable {
    /// A program with its arguments that reads a number and a line from its standard input.
    var command: String
  }

  struct Backup: Sendable, Hashable {
    var directory: String
    var every: Seconds
    /// The number of backups to keep.
    var keep: Int
  }

  struct Storage: Sendable, Hashable {
    /// The storage limit of one person, in bytes.
    var personBytes = PersonStorage.defaultQuota.bytes
    /// The storage limit of one person, in rows.
    var personRecords = PersonStorage.defaultQuota.records

    var quota: Connection.StorageUse {
      Connection.StorageUse(bytes: personBytes, records: personRecords)
    }
  }

  struct UsefulContact: Sendable, Hashable {
    /// The name by language; at least one.
    var names: [Language: String]
    var phone: String?
    var url: OutsideLink?
    var isEmergency: Bool

    var contact: PolyclinicPlaces.UsefulContact {
      PolyclinicPlaces.UsefulContact(
        Text("contacts.name", values: ["name": .name(names)]), phone: phone, web: url,
        isEmergency: isEmergency)
    }
  }

  struct ModuleState: Sendable, Hashable {
    /// False for a module that the file does not name.
    var isEnabled: Bool
    var settings: Portal.Settings
  }

  /// The properties of a module that the configuration needs.
  struct KnownModule: Sendable {
    let id: ModuleID
    let settings: [Setting]
    /// True if the law requires keeping records of this module after an erasure.
    var hasRetention = false
    /// True if the file of a first run enables the module.
    var isEnabledAtFirst = true
  }
}

extension Configuration {
  /// The file of an installed package.
  static let systemPath = "/etc/polyclinic/polyclinic.yaml"

  /// Returns the path of the file: the value of `--config`, else `polyclinic.yaml` in `DATA`, else
  /// the first of the places that has a file.
  ///
  /// Throws ``ConfigurationError`` with all places if none has one.
  static func location(
    option: String?, environment: [String: String],
    places: [String] = ["polyclinic.yaml", systemPath]
  ) throws(ConfigurationError) -> String {
    if let option { return option }
    if let data = environment["DATA"], !data.isEmpty {
      return FilePath.join(data, "polyclinic.yaml")
    }
    let places = places.map(FilePath.absolute)
    if let found = places.first(where: FilePath.exists) { return found }
    throw ConfigurationError(
      "polyclinic.yaml",
      "is neither \(places.joined(separator: " nor ")); name it with --config, or its directory by DATA, "
        + "or let \"make run\" make one")
  }
}

extension ModuleID {
  /// The key in the section `retention` for this module's years.
  var retentionKey: String { "\(self)_years" }
}
