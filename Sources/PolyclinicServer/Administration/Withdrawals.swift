import PolyclinicCore

extension Installation {
  /// What follows where somebody loses these roles, by the modules' words.
  func warnings(
    ofWithdrawing roles: Set<Role>, from person: ID<Person>, at now: Instant,
    on connection: Connection
  ) throws -> [Text] {
    try withdrawals(of: roles).compactMap { module, withdrawal in
      try withdrawal.warning(person, now, connection)?.spoken(by: module)
    }
  }

  /// Has all modules do what follows where somebody loses these roles.
  func withdraw(
    _ roles: Set<Role>, from person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    for (_, withdrawal) in withdrawals(of: roles) { try withdrawal.body(person, now, connection) }
  }

  /// Also those of modules that are off, since what they keep is there when they are on again.
  private func withdrawals(of roles: Set<Role>) -> [(module: ModuleID, withdrawal: Withdrawal)] {
    members.flatMap { member in
      member.module.withdrawals.filter { roles.contains($0.role) }.map { (member.module.id, $0) }
    }
  }
}
