import PolyclinicCore

extension Administrator {
  /// Deletes a person with key and all rows, and keeps the erasure id: a restored backup forgets
  /// them too. Returns the id.
  ///
  /// Throws ``Refusal/notFound``, and ``Refusal/conflict(_:)`` for the last administrator.
  func erase(_ person: ID<Person>, on connection: Connection) throws -> [UInt8] {
    let erasureID = try connection.row(
      "SELECT erasure_id FROM people WHERE id_person = \(person)"
    ) { $0.bytes(0) }
    guard let erasureID else { throw Refusal.notFound }
    if let account = try Account.find(person, on: connection) {
      try refuseIfLast(account, on: connection)
    }
    try connection.run(
      "INSERT INTO erasures (erasure_id, erased_at) VALUES (\(erasureID), \(now))")
    try delete(person, on: connection)
    return erasureID
  }

  /// Does an erasure again in a database that was restored from before it, even when nobody is left
  /// to administrate: the person is to be forgotten, whatever follows. False when nobody was there.
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
      try Throttle(vault).forget(
        login: SignInAttempt.counted(account.loginHash), on: connection)
    }
    try connection.run("DELETE FROM people WHERE id_person = \(person)")
    try record(.erase, nil, nil, on: connection)
  }

  private func refuseIfLast(_ account: Account, on connection: Connection) throws {
    guard account.state == .active, account.roles.contains(.administrator) else { return }
    if try !Account.isAdministrated(without: account.person, on: connection) {
      throw Refusal.conflict("error.last-administrator")
    }
  }
}
