import PolyclinicCore

extension Installation {
  /// What follows, by the modules' words, where somebody's account is suspended.
  func warnings(
    ofSuspending person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> [Text] {
    try members.flatMap { member in
      try member.module.withdrawals.compactMap { withdrawal in
        try withdrawal.warning(person, now, connection)?.spoken(by: member.module.id)
      }
    }
  }

  /// Has all modules do what follows where somebody loses these roles; also those that are off, since
  /// what they keep is there when they are on again.
  func withdraw(
    _ roles: Set<Role>, from person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    for member in members {
      for withdrawal in member.module.withdrawals where roles.contains(withdrawal.role) {
        try withdrawal.body(person, now, connection)
      }
    }
  }
}
