import Glibc
import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// Creates the tables of an empty PostgreSQL database together with their key, so that the next
/// attempt completes what a crash has interrupted.
///
/// 1. It prepares the database, and refuses one that is unfit or not empty.
/// 2. It writes the key under another name, before anything needs it.
/// 3. It creates the tables, and in a last transaction the rows that the key opens.
/// 4. It renames the key.
struct FirstServerDatabase: DatabaseCreation {
  let address: PostgreSQLAddress
  let keyPath: String

  private var draft: String { keyPath + ".new" }

  var isHalfInPlace: Bool {
    FirstKey.Presence(of: keyPath) == .absent && FirstKey.Presence(of: draft) == .present
  }

  /// Returns the presence of the rows that a key opens. Tables without them hold nobody's data.
  /// Throws `DatabaseError` if the server does not answer.
  static func presence(at address: PostgreSQLAddress) throws -> FirstKey.Presence {
    guard let database = try PostgreSQLDatabase.find(address) else { return .absent }
    defer { database.close() }
    return try database.installation() == nil ? .absent : .present
  }

  /// Returns an empty database, or one in which an earlier attempt has created tables. Throws
  /// `DatabaseError` if it is unfit, or holds tables of another program.
  static func prepared(at address: PostgreSQLAddress) throws -> PostgreSQLDatabase {
    try PostgreSQLDatabase.find(address) ?? PostgreSQLDatabase.create(address)
  }

  func make(for installation: Installation, at now: Instant) throws {
    let database = try Self.prepared(at: address)
    defer { database.close() }
    if FirstKey.Presence(of: draft) == .absent {
      let today = CalendarDate(daysSince1970: Int(now.seconds / 86_400))
      try KeyRing.new(at: draft, today: today).save()
    }
    let ring = try KeyRing.load(at: draft)
    if try database.installation() == nil {
      try InstallationBuilder.establish(database, installation, ring: ring, at: now)
    } else {
      _ = try database.read { try Vault.open(ring: ring, on: $0) }
    }
    guard rename(draft, keyPath) == 0 else { throw SystemError("rename", on: draft) }
    try OpenFile.synchronize(directory: FilePath.directory(of: keyPath))
  }

  func finish(for installation: Installation, at now: Instant) throws {
    try make(for: installation, at: now)
  }
}

extension StoredDatabase {
  /// Returns the installation to which the rows belong; nil without rows that a key opens. Throws
  /// `DatabaseError`.
  func installation() throws -> [UInt8]? {
    try read { connection in
      guard try tables(on: connection).contains(where: { $0.name == "installation" }) else {
        return nil
      }
      return try Vault.installation(on: connection)
    }
  }
}
