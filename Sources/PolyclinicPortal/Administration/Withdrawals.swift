import PolyclinicCore
import PolyclinicWeb

extension Installation {
  /// Returns the modules' warnings about the consequences if the person loses these roles.
  func warnings(
    ofWithdrawing roles: Set<Role>, from person: ID<Person>, in work: Work
  ) throws -> [Text] {
    try withdrawals(of: roles).compactMap { module, withdrawal in
      try withdrawal.warning(person, work)?.spoken(by: module)
    }
  }

  /// Returns a notice for each effect of an earlier withdrawal that stays although the person has
  /// the role and an active account again.
  func remainders(
    of account: Account?, _ context: Context
  ) throws -> [HTML] {
    guard let account, account.state == .active else { return [] }
    let enabled = Set(members.filter(\.isEnabled).map(\.module.id))
    return try withdrawals(of: account.roles).compactMap { module, withdrawal in
      guard enabled.contains(module),
        let found = try withdrawal.remainder(account.person, context)
      else { return nil }
      let link = context.button(
        found.label.spoken(by: module), to: found.page.resolved(in: module),
        style: [.secondary, .small])
      return context.notice(
        .remark, found.notice.spoken(by: module), as: .warning, action: link)
    }
  }

  /// Runs the modules' actions for a person who loses these roles.
  func withdraw(
    _ roles: Set<Role>, from person: ID<Person>, in work: Work
  ) throws {
    for (_, withdrawal) in withdrawals(of: roles) { try withdrawal.body(person, work) }
  }

  /// Includes modules that are off, because their data is used again when they are turned on.
  private func withdrawals(of roles: Set<Role>) -> [(module: ModuleID, withdrawal: Withdrawal)] {
    members.flatMap { member in
      member.module.withdrawals.filter { roles.contains($0.role) }.map { (member.module.id, $0) }
    }
  }
}
