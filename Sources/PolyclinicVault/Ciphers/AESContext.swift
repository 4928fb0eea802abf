import COpenSSL
import Crypto

/// A libcrypto context for AES-256-GCM, with its expanded key, for many messages.
struct AESContext: ~Copyable {
  static let nonceLength = 12
  static let tagLength = 16

  private let handle: OpaquePointer

  // swift-crypto expands the key for each message: sealing and opening 32 bytes takes it 3.25 µs,
  // and libcrypto 0.52 µs with a context that is kept. The algorithm is never freed. It is nil if
  // libcrypto has no AES-GCM.
  private nonisolated(unsafe) static let algorithm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// Throws ``AESError`` if memory runs out, or if this libcrypto has no AES-GCM.
  init(_ key: SymmetricKey) throws(AESError) { handle = try Self.expanded(key) }

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

  /// Returns the byte `head`, then nonce, ciphertext and tag. A nonce must not be reused under one
  /// key.
  mutating func seal(
    _ plain: [UInt8], nonce: [UInt8], binding: [UInt8], behind head: UInt8
  ) throws(AESError) -> [UInt8] {
    let start = 1 + Self.nonceLength
    let end = start + plain.count
    var sealed = [UInt8](repeating: head, count: end + Self.tagLength)
    sealed.replaceSubrange(1..<start, with: nonce)
    let isSealed = sealed.withUnsafeMutableBufferPointer { sealed in
      guard let text = sealed.baseAddress else { return false }
      var count: Int32 = 0
      return EVP_EncryptInit_ex2(handle, nil, nil, nonce, nil) == 1
        && EVP_EncryptUpdate(handle, nil, &count, binding, Int32(binding.count)) == 1
        && EVP_EncryptUpdate(handle, text + start, &count, plain, Int32(plain.count)) == 1
        && EVP_EncryptFinal_ex(handle, text + end, &count) == 1
        && EVP_CIPHER_CTX_ctrl(
          handle, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), text + end) == 1
    }
    guard isSealed else { throw AESError() }
    return sealed
  }

  /// Returns the plain bytes of nonce, ciphertext and tag; nil if they were not sealed with this
  /// key and binding.
  mutating func open(_ sealed: ArraySlice<UInt8>, binding: [UInt8]) -> [UInt8]? {
    let length = sealed.count - Self.nonceLength - Self.tagLength
    guard length >= 0 else { return nil }
    var isGenuine = false
    var plain = [UInt8](unsafeUninitializedCapacity: length) { plain, count in
      isGenuine = sealed.withUnsafeBufferPointer {
        open($0, binding: binding, into: plain.baseAddress)
      }
      count = length
    }
    if isGenuine { return plain }
    // The bytes were decrypted before the tag was verified.
    plain.wipe()
    return nil
  }

  private func open(
    _ sealed: UnsafeBufferPointer<UInt8>, binding: [UInt8], into plain: UnsafeMutablePointer<UInt8>?
  ) -> Bool {
    guard let nonce = sealed.baseAddress else { return false }
    let text = nonce + Self.nonceLength
    let length = sealed.count - Self.nonceLength - Self.tagLength
    let tag = UnsafeMutableRawPointer(mutating: text + length)
    var count: Int32 = 0
    return EVP_DecryptInit_ex2(handle, nil, nil, nonce, nil) == 1
      && EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagLength), tag) == 1
      && EVP_DecryptUpdate(handle, nil, &count, binding, Int32(binding.count)) == 1
      && EVP_DecryptUpdate(handle, plain, &count, text, Int32(length)) == 1
      && EVP_DecryptFinal_ex(handle, nil, &count) == 1
  }
}

/// libcrypto failed, because memory ran out or its configuration forbids AES-GCM.
struct AESError: Error {}
