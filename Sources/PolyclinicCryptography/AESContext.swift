import COpenSSL
import PolyclinicSystem

/// A libcrypto context for AES-256-GCM, with its expanded key, for many messages.
package struct AESContext: ~Copyable {
  package static let nonceLength = 12
  package static let tagLength = 16

  /// A number that must not be used twice under one key. Sealing takes it away from its owner.
  package struct Nonce: ~Copyable {
    package let bytes: [UInt8]

    /// The tests' nonces, which must have ``AESContext/nonceLength`` bytes.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func random() -> Nonce { Nonce(.random(nonceLength)) }

    /// The number of a chunk in eleven bytes, and 1 for the last chunk or 0 for others, as in age's
    /// format (age-encryption.org/v1).
    package init(ofChunk number: UInt64, isLast: Bool) {
      bytes =
        [UInt8](repeating: 0, count: 3) + withUnsafeBytes(of: number.bigEndian, Array.init)
        + [isLast ? 1 : 0]
    }
  }

  private let handle: OpaquePointer

  // Expanding the key takes most of the time of a short message, so that the context is kept. The
  // algorithm is never freed. It is nil if libcrypto has no AES-GCM.
  private nonisolated(unsafe) static let algorithm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// Throws ``AESError`` if memory runs out, or if this libcrypto has no AES-GCM.
  package init(_ key: SymmetricKey) throws(AESError) { handle = try Self.expanded(key) }

  private static func expanded(_ key: SymmetricKey) throws(AESError) -> OpaquePointer {
    guard let handle = EVP_CIPHER_CTX_new() else { throw AESError() }
    let code = key.withUnsafeBytes { key in
      EVP_EncryptInit_ex2(
        handle, algorithm, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil)
    }
    if code == 1 { return handle }
    EVP_CIPHER_CTX_free(handle)
    throw AESError()
  }

  // This also wipes the key (EVP_CIPHER_CTX_free(3)).
  deinit { EVP_CIPHER_CTX_free(handle) }

  /// Returns the bytes `head`, then nonce, ciphertext and tag.
  package mutating func seal(
    _ plain: some Collection<UInt8>, nonce: consuming Nonce, binding: [UInt8],
    behind head: [UInt8] = []
  ) throws(AESError) -> [UInt8] {
    let start = head.count + Self.nonceLength
    let end = start + plain.count
    let nonce = nonce.bytes
    let sealed = plain.inOnePiece { plain in
      [UInt8](unsafeUninitializedCapacity: end + Self.tagLength) { sealed, count in
        for (place, byte) in head.enumerated() { sealed[place] = byte }
        for (place, byte) in nonce.enumerated() { sealed[head.count + place] = byte }
        guard let first = sealed.baseAddress else { return }
        let (text, tag) = (first + start, first + end)
        var written: Int32 = 0
        guard EVP_EncryptInit_ex2(handle, nil, nil, nonce, nil) == 1,
          EVP_EncryptUpdate(handle, nil, &written, binding, Int32(binding.count)) == 1,
          EVP_EncryptUpdate(handle, text, &written, plain.baseAddress, Int32(plain.count)) == 1,
          EVP_EncryptFinal_ex(handle, tag, &written) == 1,
          EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), tag) == 1
        else { return }
        count = end + Self.tagLength
      }
    }
    guard !sealed.isEmpty else { throw AESError() }
    return sealed
  }

  /// Returns the plain bytes of nonce, ciphertext and tag; nil if they were not sealed with this
  /// key and binding.
  package mutating func open(_ sealed: ArraySlice<UInt8>, binding: [UInt8]) -> [UInt8]? {
    sealed.withUnsafeBufferPointer {
      open($0.dropFirst(Self.nonceLength), $0.baseAddress, binding)
    }
  }

  /// Returns the plain bytes of ciphertext and tag, whose nonce is not stored with them.
  package mutating func open(
    _ sealed: ArraySlice<UInt8>, nonce: borrowing Nonce, binding: [UInt8]
  ) -> [UInt8]? {
    sealed.withUnsafeBufferPointer { open($0[...], nonce.bytes, binding) }
  }

  private func open(
    _ sealed: Slice<UnsafeBufferPointer<UInt8>>, _ nonce: UnsafePointer<UInt8>?,
    _ binding: [UInt8]
  ) -> [UInt8]? {
    let length = sealed.count - Self.tagLength
    guard length >= 0, let text = UnsafeBufferPointer(rebasing: sealed).baseAddress else {
      return nil
    }
    let tag = UnsafeMutableRawPointer(mutating: text + length)
    var isGenuine = false
    var plain = [UInt8](unsafeUninitializedCapacity: length) { plain, count in
      var read: Int32 = 0
      isGenuine =
        EVP_DecryptInit_ex2(handle, nil, nil, nonce, nil) == 1
        && EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagLength), tag) == 1
        && EVP_DecryptUpdate(handle, nil, &read, binding, Int32(binding.count)) == 1
        && EVP_DecryptUpdate(handle, plain.baseAddress, &read, text, Int32(length)) == 1
        && EVP_DecryptFinal_ex(handle, nil, &read) == 1
      count = length
    }
    if isGenuine { return plain }
    // The bytes were decrypted before the tag was verified.
    plain.wipe()
    return nil
  }

}

/// libcrypto failed, because memory ran out or its configuration forbids AES-GCM.
package struct AESError: Error {}
