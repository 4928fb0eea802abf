import PolyclinicFormats

/// The signed statement of an authenticator (WebAuthn Level 3, 6.1).
struct AuthenticatorData {
  /// The SHA-256 of the relying party's id.
  let hostDigest: [UInt8]
  /// The number of uses so far; 0 from an authenticator that does not count.
  let signCount: UInt32
  /// The new passkey; nil at a sign-in.
  let credential: Credential?
  private let flags: UInt8

  /// A new passkey (WebAuthn Level 3, 6.5.1).
  struct Credential {
    let id: [UInt8]
    /// The kind of the authenticator; zero unless it attests itself.
    let model: [UInt8]
    let publicKey: CBOR
  }

  /// True if the user was present and has proved to the device who they are, by a fingerprint or a
  /// PIN for example.
  var isUserVerified: Bool { flags & 0x05 == 0x05 }
  /// True if the passkey may be synchronized between devices.
  var isSynchronizable: Bool { flags & 0x08 != 0 }
  /// True if the passkey is synchronized.
  var isSynchronized: Bool { flags & 0x10 != 0 }

  init(reading bytes: [UInt8]) throws(PasskeyFault) {
    guard bytes.count >= 37 else { throw .malformed }
    hostDigest = Array(bytes[..<32])
    flags = bytes[32]
    signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    var rest = bytes[37...]
    credential = flags & 0x40 == 0 ? nil : try Credential(&rest)
    if flags & 0x80 != 0 { rest = try Self.item(rest).rest }
    guard rest.isEmpty, isSynchronizable || !isSynchronized else { throw .malformed }
  }

  fileprivate static func item(
    _ bytes: ArraySlice<UInt8>
  ) throws(PasskeyFault) -> (item: CBOR, rest: ArraySlice<UInt8>) {
    do { return try CBOR.first(in: bytes) } catch { throw .malformed }
  }
}

extension AuthenticatorData.Credential {
  /// Takes the passkey from the front of the bytes.
  fileprivate init(_ bytes: inout ArraySlice<UInt8>) throws(PasskeyFault) {
    guard bytes.count >= 18 else { throw .malformed }
    model = Array(bytes.prefix(16))
    bytes = bytes.dropFirst(16)
    let length = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    bytes = bytes.dropFirst(2)
    guard (1...PasskeyResponse.longestID).contains(length), bytes.count >= length else {
      throw .malformed
    }
    id = Array(bytes.prefix(length))
    bytes = bytes.dropFirst(length)
    (publicKey, bytes) = try AuthenticatorData.item(bytes)
  }
}
