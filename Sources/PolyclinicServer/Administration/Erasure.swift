import PolyclinicCore

extension Administrator {
  /// Deletes a person with key and all rows, and returns the erasure id, which is kept: a restored backup forgets
  /// them too.
  ///
  /// Throws ``Refusal/notFound``, and ``Refusal/conflict(_:)`` with what a module wants to be done first.
  @discardableResult
  func erase(
    _ person: ID<Person>, asking installation: Installation, on connection: Connection
  ) throws -> [UInt8] {
    let erasureID = try connection.row(
      "SELECT erasure_id FROM people WHERE id_person = \(person)"
    ) { $0.bytes(0) }
    guard let erasureID else { throw Refusal.notFound }
    if let obstacle = try installation.obstacle(toErasing: person, at: now, on: connection) {
      throw Refusal.conflict(obstacle)
    }
    try connection.run(
      "INSERT INTO erasures (erasure_id, erased_at) VALUES (\(erasureID), \(now))")
    try delete(person, on: connection)
    return erasureID
  }

  /// Does an erasure again in a database that was restored from before it, whatever would stand in the
  /// way: the person is to be forgotten, whatever follows. False when nobody was there.
  func repeatErasure(_ erasureID: [UInt8], on connection: Connection) throws -> Bool {
    try connection.run(
      """
      INSERT INTO erasures (erasure_id, erased_at) VALUES (\(erasureID), \(now))
      ON CONFLICT (erasure_id) DO NOTHING
      """)
    let person: ID<Person>? = try connection.row(
      "SELECT id_person FROM people WHERE erasure_id = \(erasureID)"
    ) { $0.id(0) }
    guard let person else { return false }
    try delete(person, on: connection)
    return true
  }

  private func delete(_ person: ID<Person>, on connection: Connection) throws {
    if let account = try Account.find(person, on: connection) {
      for name in SignInAttempt.counted(account) {
        try Throttle(vault).forget(login: name, on: connection)
      }
    }
    // Before it: whoever erases themselves is not there any more behind it.
    try record(.erase, nil, nil, on: connection)
    try connection.run("DELETE FROM people WHERE id_person = \(person)")
  }
}

extension Installation {
  /// What has to be done before a person can be erased, as the first module says it that wants anything.
  ///
  /// All are asked, also those that are off: their data goes along, and with it what others rely on.
  func obstacle(
    toErasing person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Text? {
    for member in members {
      if let text = try member.module.personalData.obstacle(person, now, connection) {
        return text.spoken(by: member.module.id)
      }
    }
    return nil
  }
}

/// An erasure with all that belongs to it: when it has come to its end, neither the database, its log
/// nor a backup restored from now on gives the person back.
struct Erasure {
  let database: any Database
  let log: ErasureLog
  /// Empties the database's write-ahead log.
  let checkpoint: () throws -> Void

  /// What was not done. What failed after the erasure itself is made good when the same is asked again,
  /// although nobody is there by then.
  enum Failure: Error {
    /// Nothing was erased, since the log of erasures cannot be written.
    case notBegun(SystemError)
    /// Erased here, but a restored backup would not know.
    case unlogged(SystemError)
    /// Erased, but deleted bytes may still be in the write-ahead log.
    case uncleaned(DatabaseError)

    /// True if the person is gone from the database.
    var isErased: Bool { if case .notBegun = self { false } else { true } }
  }

  /// Runs `erase` in a transaction, between bringing the log up to date before and after.
  ///
  /// Throws ``Failure``, and what `erase` throws, with nothing erased then.
  func run<Value>(_ erase: (Connection) throws -> Value) throws -> Value {
    do { try bringLogUpToDate() } catch let error as SystemError { throw Failure.notBegun(error) }
    let value = try database.write(erase)
    do { try bringLogUpToDate() } catch let error as SystemError { throw Failure.unlogged(error) }
    do { try checkpoint() } catch let error as DatabaseError { throw Failure.uncleaned(error) }
    return value
  }

  /// Adds what the database knows and the log does not, as after an earlier failure.
  private func bringLogUpToDate() throws {
    try log.append(try database.read(ErasureLog.stored))
  }
}
