import PolyclinicCore

/// The reason to refuse the creation of a passkey, or a sign-in with one.
package enum PasskeyFault: String, Error, CaseIterable, Sendable {
  /// The response is not one of WebAuthn, or exceeds a limit.
  case malformed
  /// The challenge has expired, or is not one of this browser for this purpose.
  case expired
  /// The challenge was answered before.
  case replayed
  /// Another address than the portal's asked for the passkey.
  case origin
  /// The passkey belongs to another host name.
  case host
  /// The device has not checked that its user is the owner.
  case unverified
  /// The key is for an algorithm that the portal has not offered.
  case algorithm
  /// The passkey is stored already.
  case known
  /// No such passkey is stored.
  case unknown
  /// The passkey is stored for another account than the response names.
  case account
  /// The passkey's key has not made the signature.
  case signature
  /// The passkey's counter has not grown, as after a copy was used.
  case counter

  /// The reason as a text for the user.
  package var text: Text { Text("passkeys.error.\(rawValue)") }
}
