/// Bytes that only the keys of one person open: what is stored of anything that says something about somebody.
public struct Sealed: Sendable, Equatable {
  /// Nonce, ciphertext and tag, as they are stored.
  public let bytes: [UInt8]

  /// Takes stored bytes; whether they open is found out when they are opened.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
