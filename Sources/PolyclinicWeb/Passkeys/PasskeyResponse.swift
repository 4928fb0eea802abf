import PolyclinicCore
import PolyclinicSystem

/// The response of a browser to a request for a passkey, as its script sends it: the JSON form of
/// a `PublicKeyCredential` (WebAuthn Level 3, 5.1.8).
package struct PasskeyResponse {
  /// The length in bytes beyond which a response is refused. One with an RSA key has about 2000.
  static let limit = 16 * 1_024
  /// The length in bytes of the longest id of a passkey (WebAuthn Level 3, 7.1, step 25).
  static let longestID = 1_023

  /// The id of the passkey.
  package let credentialID: [UInt8]
  let clientData: ClientData
  /// Empty for a sign-in.
  let attestation: [UInt8]
  /// Empty for a new passkey, whose attestation contains it.
  let authenticatorData: [UInt8]
  let signature: [UInt8]
  /// The random id of the account; nil if the passkey does not tell it.
  package let userHandle: [UInt8]?
  /// The ways in which the browser reaches the passkey, such as `internal`.
  let transports: [String]

  /// The challenge that the response answers.
  package var challenge: String { clientData.challenge }

  /// Reads the JSON text of a form's field.
  package init(_ text: String) throws(PasskeyFault) {
    guard text.utf8.count <= Self.limit, let json = Self.json(text),
      let response = json["response"],
      let id = Self.bytes(json["id"]), (1...Self.longestID).contains(id.count),
      let clientData = Self.bytes(response["clientDataJSON"])
    else { throw .malformed }
    credentialID = id
    self.clientData = try ClientData(clientData)
    attestation = Self.bytes(response["attestationObject"]) ?? []
    authenticatorData = Self.bytes(response["authenticatorData"]) ?? []
    signature = Self.bytes(response["signature"]) ?? []
    userHandle = Self.bytes(response["userHandle"])
    // Only the words of the standard, because the portal sends them back to browsers.
    transports = (response["transports"]?.strings ?? [])
      .filter(["ble", "hybrid", "internal", "nfc", "smart-card", "usb"].contains)
  }

  fileprivate static func json(_ text: String) -> JSON? {
    do { return try JSON(reading: Array(text.utf8), valueLimit: 200) } catch { return nil }
  }

  private static func bytes(_ json: JSON?) -> [UInt8]? {
    json?.string.flatMap(Base64.url.decoded)
  }
}

/// The client data of a response: the part that the browser itself writes (WebAuthn Level 3, 5.8.1).
struct ClientData {
  /// The kinds of responses.
  enum Kind: String {
    case creation = "webauthn.create"
    case signIn = "webauthn.get"
  }

  /// The bytes as the browser wrote them, whose digest is signed.
  let bytes: [UInt8]
  let challenge: String
  private let kind: Kind
  private let origin: String
  /// True if a page of another origin frames the page that asked.
  private let isFramed: Bool

  init(_ bytes: [UInt8]) throws(PasskeyFault) {
    self.bytes = bytes
    guard let json = PasskeyResponse.json(String(decoding: bytes, as: UTF8.self)),
      let kind = json["type"]?.string.flatMap(Kind.init), let challenge = json["challenge"]?.string,
      let origin = json["origin"]?.string
    else { throw .malformed }
    self.kind = kind
    self.challenge = challenge
    self.origin = origin
    isFramed = json["crossOrigin"] == true || json["topOrigin"] != nil
  }

  func require(_ kind: Kind, from origin: String) throws(PasskeyFault) {
    guard self.kind == kind else { throw .malformed }
    guard self.origin.isIdentical(to: origin), !isFramed else { throw .origin }
  }
}

extension JSON {
  /// Returns the value of a member; nil if this is not an object.
  fileprivate subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isIdentical(to: name) }?.value
  }

  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The texts of an array; empty for any other value.
  fileprivate var strings: [String] {
    if case .array(let items) = self { items.compactMap(\.string) } else { [] }
  }
}
