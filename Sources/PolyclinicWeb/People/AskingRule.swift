/// The time at which people are asked for a part of their profile, such as the postal address.
package enum AskingRule: String, CaseIterable, Sendable {
  /// In the profile, where it is optional.
  case later
  /// At registration.
  case required
}
