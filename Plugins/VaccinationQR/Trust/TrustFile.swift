import Foundation
import PolyclinicCore

/// The keys and revocation lists of a file that the administrator trusts.
struct TrustFile: Sendable {
  var keys: [TrustedKey] = []
  var revocations: [RevocationList] = []
  /// The number of skipped keys: those that the portal cannot use, such as P-384, and references to
  /// other documents.
  var leftOut = 0

  /// The reason for which a whole file is refused.
  enum Fault: Error, Equatable, CustomStringConvertible {
    case unknownFormat
    case broken(position: Int)
    case empty

    var description: String {
      switch self {
      case .unknownFormat:
        "it is none of: a certificate or public key in DER or PEM, a JWKS, a DID document, a revocation list"
      case .broken(let position): "entry \(position) cannot be read"
      case .empty:
        "there is no key in it that the portal can verify with (P-256, or RSA of 2048 bits or more)"
      }
    }
  }

  /// The most JSON values of a file. The WHO list has about 15 for each of a few thousand keys.
  private static let valueLimit = 500_000

  /// Reads a file in one of these formats:
  /// - a certificate or a public key in DER, or several in PEM;
  /// - a JWKS (RFC 7517);
  /// - a DID document with JWKs;
  /// - a revocation list of SMART Health Cards.
  ///
  /// Throws ``Fault``.
  init(reading bytes: [UInt8]) throws(Fault) {
    if let json = try? JSON(reading: bytes, valueLimit: Self.valueLimit) {
      try take(json)
    } else if bytes.starts(with: "-----BEGIN ".utf8) || Self.hasPEM(bytes) {
      try take(pem: bytes)
    } else if bytes.first == 0x30 {
      guard let key = TrustedKey(der: bytes) else { throw .broken(position: 1) }
      take(key)
    } else {
      throw .unknownFormat
    }
    if keys.isEmpty, revocations.isEmpty { throw .empty }
  }

  private mutating func take(_ key: TrustedKey) {
    if key.isUsable { keys.append(key) } else { leftOut += 1 }
  }

  private mutating func take(_ json: JSON) throws(Fault) {
    if case .array(let list)? = json["keys"] {
      for (index, key) in list.enumerated() { try take(key, .keySet, at: index + 1) }
    } else if case .array(let methods)? = json["verificationMethod"] {
      for (index, method) in methods.enumerated() {
        // A string refers to another document, which is not fetched.
        guard method.string == nil, let key = method["publicKeyJwk"] else {
          leftOut += 1
          continue
        }
        try take(key, .did, at: index + 1)
      }
    } else if json["rids"] != nil {
      guard let list = RevocationList(json) else { throw .broken(position: 1) }
      revocations.append(list)
    } else {
      throw .unknownFormat
    }
  }

  private mutating func take(
    _ key: JSON, _ format: TrustedKey.Format, at position: Int
  ) throws(Fault) {
    // RFC 7517, 4.2: an encryption key does not sign.
    if key["use"]?.string == "enc" { return }
    guard case .object = key, let id = key["kid"]?.string, let kind = key["kty"]?.string else {
      throw .broken(position: position)
    }
    guard key["x5c"] != nil || (kind == "EC" && key["crv"]?.string == "P-256") || kind == "RSA"
    else {
      leftOut += 1
      return
    }
    guard let key = TrustedKey(jwk: key, KeyID(id), format) else {
      throw .broken(position: position)
    }
    take(key)
  }
}

extension TrustFile {
  private static func hasPEM(_ bytes: [UInt8]) -> Bool {
    // Some tools write text before the first block.
    String(decoding: bytes.prefix(16 * 1_024), as: UTF8.self).contains("\n-----BEGIN ")
  }

  /// Reads the blocks between `-----BEGIN …-----` and `-----END …-----` (RFC 7468).
  private mutating func take(pem bytes: [UInt8]) throws(Fault) {
    var position = 0
    var block: String?
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = String(decoding: line, as: UTF8.self)
      if line.hasPrefix("-----BEGIN ") {
        position += 1
        guard block == nil else { throw .broken(position: position) }
        block = ""
      } else if line.hasPrefix("-----END ") {
        guard let text = block, let der = Data(base64Encoded: text),
          let key = TrustedKey(der: Array(der))
        else { throw .broken(position: position) }
        take(key)
        block = nil
      } else if block != nil {
        block?.append(line.trimmingCharacters(in: .whitespaces))
      }
    }
    if block != nil { throw .broken(position: position) }
  }
}

/// The command `polyclinic vaccination-qr trust FILE…`.
extension TrustFile {
  static let command = Command(
    "trust", "Adds keys by which signatures of certificates are verified.",
    .arguments(
      "file",
      "Certificates or public keys (DER, PEM), JWKS, DID documents, revocation lists of SMART Health Cards.",
      as: .file), run: run)

  /// Adds all files in one transaction. If one is invalid, none is added.
  private static func run(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let files = try call.files("file").map { file in
      do throws(Fault) { return try TrustFile(reading: file.content) } catch {
        throw Command.Failure("Nothing was added. \(file.path) is refused: \(error).")
      }
    }
    let keys = files.flatMap(\.keys)
    let lists = files.flatMap(\.revocations)
    let (added, newLists) = try portal.write { work in
      (try keys.filter { try $0.store(in: work) }, try lists.filter { try $0.store(in: work) })
    }
    var lines = ["Keys added: \(added.count). Known before: \(keys.count - added.count)."]
    lines += issuers(of: added)
    let leftOut = files.map(\.leftOut).reduce(0, +)
    if leftOut > 0 {
      lines.append("Left out, neither P-256 nor RSA of 2048 bits or more: \(leftOut).")
    }
    if !lists.isEmpty {
      lines.append("Revocation lists stored: \(newLists.count) of \(lists.count).")
    }
    return lines
  }

  /// Returns a line for each issuer with the number of its keys.
  private static func issuers(of keys: [TrustedKey]) -> [String] {
    let groups = Dictionary(grouping: keys) { key in
      guard let owner = key.certificate else { return "no certificate" }
      return [owner.country, owner.issuer].compactMap(\.self).joined(separator: ", ")
    }
    return groups.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value.count)" }
  }
}
