import PolyclinicCore

/// What the administrator decided, read once and checked whole; all paths in it are absolute.
struct Configuration: Sendable {
  /// The file it was read from.
  var path: String
  var server: Server
  var database: Database
  var vault: Vault
  var clinic: Organization
  /// Nil: messages stay in the portal's own inbox.
  var mail: Mail?
  var backup: Backup
  var storage: Storage
  /// The accounts that have to have a second factor.
  var secondFactor: SecondFactor.Rule
  /// The contacts in place of the shipped ones, by ISO 3166-1 alpha-2 code or `EU`.
  var usefulContacts: [String: [UsefulContact]]
  /// Every module that is built, on or off.
  var modules: [ModuleID: ModuleState]

  struct Server: Sendable, Hashable {
    var origin: Origin
    /// The path of the Unix socket between nginx and the workers.
    var socket: String
    /// What runs keeps its files beside the socket.
    var runDirectory: RunDirectory { RunDirectory(FilePath.directory(of: socket)) }
    var workers: Int
    /// Threads of each worker.
    var threads: Int
    /// The directory of the files that nginx serves itself.
    var www: String
    /// The largest body of a request that nginx takes, in bytes; ``Gate/bodyLimit`` at most.
    var maxBodyBytes: Int
    /// How long one request may take before the process that it hangs in is ended.
    var maxRequestSeconds: Int
    /// The memory that one process may take for its data before it is ended, in bytes.
    var maxMemoryBytes: Int
    /// The certificate with its chain, and its private key, in PEM.
    var certificate: String
    var certificateKey: String
    /// True if browsers are told to ask for HTTPS at all names below the portal's own, too.
    var hasStrictSubdomains: Bool

    /// How many requests may wait for a thread: as many as are answered within a second or two when
    /// each of them is a save on a slow disk.
    var backlog: Int { 32 * workers * threads }
  }

  enum Database: Sendable, Hashable {
    case sqlite(path: String)
  }

  struct Vault: Sendable, Hashable {
    var keyFile: String
  }

  struct Mail: Sendable, Hashable {
    /// A program with its arguments that takes a message on its standard input.
    var command: String
    var from: String
  }

  struct Backup: Sendable, Hashable {
    var directory: String
    var every: Seconds
    /// How many are kept.
    var keep: Int
  }

  struct Storage: Sendable, Hashable {
    /// The most that one person may store, in bytes.
    var personBytes = 50 << 20
    /// The most rows that one person may store.
    var personRecords = 200_000

    var quota: StorageUse { StorageUse(bytes: personBytes, records: personRecords) }
  }

  struct UsefulContact: Sendable, Hashable {
    /// The name in each language; at least one.
    var names: [Language: String]
    var phone: String?
    var url: OutsideLink?
    var isEmergency: Bool

    var contact: PolyclinicCore.UsefulContact {
      PolyclinicCore.UsefulContact(
        Text("contacts.name", values: ["name": .name(names)]), phone: phone, web: url,
        isEmergency: isEmergency)
    }
  }

  struct ModuleState: Sendable, Hashable {
    /// A module that the file does not name is off.
    var isEnabled: Bool
    var settings: Settings
  }

  /// A module that is built, as far as the configuration has to know it.
  struct KnownModule: Sendable {
    let id: ModuleID
    let settings: [Setting]
  }
}

extension Configuration {
  /// Where the file is: what `--config` says, else `polyclinic.yaml` in `DATA`, else here.
  static func location(option: String?, environment: [String: String]) -> String {
    if let option { return option }
    guard let data = environment["DATA"], !data.isEmpty else { return "polyclinic.yaml" }
    return FilePath.join(data, "polyclinic.yaml")
  }
}
