import CZlib
import Foundation
import PolyclinicCore
import PolyclinicFormats
import PolyclinicTestSupport

@testable import VaccinationQR

/// An EU certificate signed with a key of the test.
struct MadeCertificate {
  var entry: CBOR = Self.vaccination
  var entryName = "v"
  var key = TestSigner()
  var keyID: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
  var isKeyIDProtected = true
  var isTagged = true
  var isCompressed = true
  var issuedAt = Instant(1_620_324_000)
  var expiresAt = Instant(1_635_876_000)
  var birthDate: CBOR = "1998-02-26"
  var name: CBOR = ["fn": "Gößinger", "gn": "Gabriele", "fnt": "GOESSINGER", "gnt": "GABRIELE"]

  static let vaccination: CBOR = [
    "tg": "840539006", "vp": "1119349007", "mp": "EU/1/20/1528", "ma": "ORG-100030215", "dn": 3,
    "sd": 2, "dt": "2021-02-18", "co": "AT", "is": "Ministry of Health, Austria",
    "ci": "URN:UVCI:01:AT:10807843F94AEE0EE5093FBC254BD813#B",
  ]
  static let test: CBOR = [
    "tg": "840539006", "tt": "LP217198-3", "ma": "1232", "sc": "2021-04-13T14:20:00Z",
    "tr": "260415000", "tc": "Testcentrum", "co": "FR", "is": "Issuer", "ci": "URN:UVCI:1",
  ]
  static let recovery: CBOR = [
    "tg": "840539006", "fr": "2021-02-20", "co": "AT", "is": "Issuer", "df": "2021-04-04",
    "du": "2021-10-04", "ci": "URN:UVCI:2",
  ]

  /// The trusted key for this certificate.
  var trusted: TrustedKey {
    TrustedKey(id: KeyID(keyID), publicKey: key.publicKey, certificate: nil, format: .keySet)
  }

  var claims: CBOR {
    let health: CBOR = [
      "ver": "1.3.0",
      "nam": name, "dob": birthDate, .text(entryName): [entry],
    ]
    return [
      1: "AT", 4: .unsigned(UInt64(expiresAt.seconds)), 6: .unsigned(UInt64(issuedAt.seconds)),
      -260: [1: health],
    ]
  }

  func message() throws -> [UInt8] {
    let algorithm: CBOR = key.isRSA ? -37 : -7
    let keyIDs: [CBOR.Pair] = [CBOR.Pair(key: 4, value: .bytes(keyID))]
    let algorithms: [CBOR.Pair] = [CBOR.Pair(key: 1, value: algorithm)]
    let protected = CBORWriter.bytes(.map(algorithms + (isKeyIDProtected ? keyIDs : [])))
    let payload = CBORWriter.bytes(isTagged ? .tagged(61, claims) : claims)
    let signed = CBORWriter.bytes([
      "Signature1", .bytes(protected), .bytes([]), .bytes(payload),
    ])
    let signature = key.isRSA ? key.signature(of: signed, .pss) : key.numbers(of: signed)
    let message: CBOR = [
      .bytes(protected), .map(isKeyIDProtected ? [] : keyIDs), .bytes(payload), .bytes(signature),
    ]
    return CBORWriter.bytes(isTagged ? .tagged(18, message) : message)
  }

  func payload() throws -> [UInt8] {
    let message = try message()
    return Self.payload(isCompressed ? Self.compressed(message, 15) : message)
  }

  static func payload(_ bytes: [UInt8]) -> [UInt8] { Array("HC1:".utf8) + base45(bytes) }

  func certificate() throws -> EuropeanCertificate {
    guard case .european(let certificate) = Code(try payload()) else { throw DecodingFailure() }
    return certificate
  }

  /// Encodes bytes in Base45 (RFC 9285).
  static func base45(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
    return stride(from: 0, to: bytes.count, by: 2).flatMap { place -> [UInt8] in
      let pair = bytes[place...].prefix(2)
      let value = pair.reduce(0) { $0 << 8 | Int($1) }
      let digits = [value % 45, value / 45 % 45, value / 2_025]
      return digits.prefix(pair.count + 1).map { alphabet[$0] }
    }
  }

  /// Compresses bytes with zlib (15 window bits) or raw deflate (−15).
  static func compressed(_ bytes: [UInt8], _ windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(&stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    defer { deflateEnd(&stream) }
    var input = bytes
    let capacity = bytes.count + 1_024
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(capacity)
        deflate(&stream, Z_FINISH)
      }
      count = capacity - Int(stream.avail_out)
    }
  }
}
