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
      try Throttle(vault).forget(
        login: SignInAttempt.counted(account.loginHash), on: connection)
    }
    try connection.run(
      "INSERT INTO erasures (erasure_id, erased_at) VALUES (\(erasureID), \(now))")
    try connection.run("DELETE FROM people WHERE id_person = \(person)")
    try record(.erase, nil, nil, on: connection)
    return erasureID
  }

  private func refuseIfLast(_ account: Account, on connection: Connection) throws {
    guard account.state == .active, account.roles.contains(.administrator) else { return }
    if try !Account.isAdministrated(without: account.person, on: connection) {
      throw Refusal.conflict("error.last-administrator")
    }
  }
}
