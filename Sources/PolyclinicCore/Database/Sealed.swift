/// Encrypted bytes that only the keys of one person open. Data that says something about a person
/// is stored in this form.
public struct Sealed: Sendable, Equatable {
  /// The nonce, ciphertext and tag, as they are stored.
  public let bytes: [UInt8]

  /// Wraps stored bytes. Does not check that they can be opened.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
