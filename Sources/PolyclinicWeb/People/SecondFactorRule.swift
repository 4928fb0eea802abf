import PolyclinicCore

/// The accounts that need a second factor.
package enum SecondFactorRule: String, CaseIterable, Sendable {
  /// Accounts that can open other people's data.
  case staff
  case everybody
  case optional

  /// True if an account with these roles needs a second factor.
  package func requires(_ roles: Set<Role>) -> Bool {
    switch self {
    case .staff: roles != [.patient]
    case .everybody: true
    case .optional: false
    }
  }
}
