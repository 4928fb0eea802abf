/// The time at which people are asked for their postal address.
package enum AddressRule: String, CaseIterable, Sendable {
  /// In the profile, where it is optional.
  case later
  /// At registration.
  case required
}
