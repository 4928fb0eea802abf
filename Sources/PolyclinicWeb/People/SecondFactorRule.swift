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

/// The time at which people are asked for a part of their profile, such as the postal address.
package enum AskingRule: String, CaseIterable, Sendable {
  /// In the profile, where it is optional.
  case later
  /// At registration.
  case required
}
