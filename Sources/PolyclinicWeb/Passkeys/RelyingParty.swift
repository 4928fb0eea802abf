import PolyclinicCore
import PolyclinicCryptography
import PolyclinicFormats
import PolyclinicSystem

/// The portal as browsers and authenticators know it, and its checks of their responses (WebAuthn
/// Level 3, 7.1 and 7.2).
///
/// Both values come from the configuration alone. Programs that take them from a request's headers
/// fail behind a proxy, and trust the sender of the request.
package struct RelyingParty: Sendable, Equatable {
  /// The host name, to which passkeys are bound.
  package let host: String
  /// The origin of the pages that may ask for passkeys.
  let origin: String

  /// Returns nil for an IP address, for which browsers make no passkeys.
  package init?(_ origin: Portal.Origin) {
    guard !origin.isAddress else { return nil }
    host = origin.host
    self.origin = origin.description
  }

  private var hostDigest: [UInt8] { SHA256.digest(of: host.utf8) }

  /// Returns the content of a new passkey. The caller has checked the challenge.
  package func created(
    by response: PasskeyResponse, named name: String
  ) throws(PasskeyFault) -> Passkey.Content {
    try response.clientData.require(.creation, from: origin)
    let data = try Self.attested(response.attestation)
    try require(data)
    guard let credential = data.credential, credential.id == response.credentialID else {
      throw .malformed
    }
    return Passkey.Content(
      name: name, credentialID: credential.id, publicKey: try Self.encoded(credential.publicKey),
      signCount: data.signCount, isSynchronizable: data.isSynchronizable,
      isSynchronized: data.isSynchronized, transports: response.transports, model: credential.model)
  }

  /// Returns the content of a passkey after a sign-in with it, with its new counter. The caller has
  /// checked the challenge and the account.
  package func used(
    _ passkey: Passkey.Content, by response: PasskeyResponse
  ) throws(PasskeyFault) -> Passkey.Content {
    try response.clientData.require(.signIn, from: origin)
    let data = try AuthenticatorData(reading: response.authenticatorData)
    try require(data)
    let signed = response.authenticatorData + SHA256.digest(of: response.clientData.bytes)
    guard let key = SignatureKey(der: passkey.publicKey) else { throw .malformed }
    let isRight =
      switch key.kind {
      case .ecdsa: key.verifies(ecdsa: response.signature, of: signed)
      case .rsa: key.verifies(rsa: response.signature, .pkcs1, of: signed)
      }
    guard isRight else { throw .signature }
    guard data.isSynchronizable == passkey.isSynchronizable else { throw .malformed }
    // An authenticator without a counter always sends 0.
    guard data.signCount > passkey.signCount || (data.signCount, passkey.signCount) == (0, 0) else {
      throw .counter
    }
    var content = passkey
    content.signCount = data.signCount
    content.isSynchronized = data.isSynchronized
    return content
  }

  private func require(_ data: AuthenticatorData) throws(PasskeyFault) {
    guard data.hostDigest == hostDigest else { throw .host }
    guard data.isUserVerified else { throw .unverified }
  }

  /// Reads an attestation object (WebAuthn Level 3, 6.5). Statements of other formats than `none` are
  /// ignored, because the portal asks for none and trusts no maker of authenticators.
  private static func attested(_ bytes: [UInt8]) throws(PasskeyFault) -> AuthenticatorData {
    let item: CBOR
    do { item = try CBOR(reading: bytes) } catch { throw .malformed }
    guard let format = item["fmt"]?.text, let data = item["authData"]?.bytes,
      let statement = item["attStmt"], case .map(let pairs) = statement,
      format != "none" || pairs.isEmpty
    else { throw .malformed }
    return try AuthenticatorData(reading: data)
  }

  /// Returns the SubjectPublicKeyInfo of a key for one of ``COSEKey/algorithms``.
  private static func encoded(_ item: CBOR) throws(PasskeyFault) -> [UInt8] {
    let key: COSEKey
    do { key = try COSEKey(item) } catch { throw error == .algorithm ? .algorithm : .malformed }
    let encoded =
      switch key {
      case .es256(let x, let y): SignatureKey.encoded(x: x, y: y)
      case .rs256(let modulus, let exponent):
        SignatureKey.encoded(modulus: modulus, exponent: exponent)
      }
    guard let encoded else { throw .malformed }
    return encoded
  }
}

/// The options for the functions of browsers.
extension RelyingParty {
  /// The account for which a passkey is made, as the device shows it.
  package struct User {
    let handle: [UInt8]
    let login: String
    let name: String

    package init(handle: [UInt8], login: String, name: String) {
      self.handle = handle
      self.login = login
      self.name = name
    }
  }

  /// Returns the options of `navigator.credentials.create` (WebAuthn Level 3, 5.4), for a person who
  /// has these passkeys already.
  package func creationOptions(
    for user: User, portalName: String, challenge: String, besides passkeys: [Passkey]
  ) -> JSON {
    [
      "rp": ["id": .string(host), "name": .string(portalName)],
      "user": [
        "id": .string(Base64.url.text(user.handle)), "name": .string(user.login),
        "displayName": .string(user.name),
      ],
      "challenge": .string(challenge),
      "pubKeyCredParams": .array(
        COSEKey.algorithms.map { ["type": "public-key", "alg": .integer($0)] }),
      "timeout": Self.timeout,
      "excludeCredentials": Self.list(passkeys),
      "authenticatorSelection": [
        "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
      ],
      "attestation": "none",
    ]
  }

  /// Returns the options of `navigator.credentials.get` (WebAuthn Level 3, 5.5). They name no
  /// passkeys, because the list would tell strangers of an account (14.6.2).
  package func signInOptions(challenge: String) -> JSON {
    [
      "challenge": .string(challenge), "rpId": .string(host), "timeout": Self.timeout,
      "userVerification": "required", "allowCredentials": [],
    ]
  }

  /// The time in milliseconds after which the browser gives up.
  private static let timeout = JSON.integer(PasskeyChallenges.lifetime.count * 1_000)

  private static func list(_ passkeys: [Passkey]) -> JSON {
    .array(
      passkeys.map {
        [
          "type": "public-key", "id": .string(Base64.url.text($0.content.credentialID)),
          "transports": .array($0.content.transports.map(JSON.string)),
        ]
      })
  }
}
