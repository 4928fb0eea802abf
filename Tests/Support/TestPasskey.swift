import PolyclinicCore
import PolyclinicCryptography
import PolyclinicFormats
import PolyclinicSystem
import PolyclinicTesting

/// An authenticator with one passkey, whose responses a test can make wrong.
package final class TestPasskey {
  /// The origin in the client data.
  package var origin = "https://clinic.example"
  /// The host name whose digest is signed.
  package var host = "clinic.example"
  package var isFramed = false
  package var isUserVerified = true
  package var isSynchronizable = false
  package var isSynchronized = false
  /// The counter of the next response.
  package var signCount: UInt32 = 1
  package var id: [UInt8] = .random(20)
  /// The user handle of the account for which the passkey was made.
  package var handle: [UInt8] = []
  /// The number of the key's algorithm.
  package var algorithm: Int64
  package let signer: TestSigner

  package init(_ signer: TestSigner = TestSigner()) {
    self.signer = signer
    algorithm = signer.isRSA ? -257 : -7
  }

  private var publicKey: CBOR {
    if signer.isRSA {
      return [
        1: 3, 3: CBOR(integerLiteral: algorithm), -1: .bytes(signer.modulus),
        -2: .bytes(signer.exponent),
      ]
    }
    let point = signer.point
    return [
      1: 2, 3: CBOR(integerLiteral: algorithm), -1: 1, -2: .bytes(Array(point.prefix(32))),
      -3: .bytes(Array(point.suffix(32))),
    ]
  }

  private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
    let data: JSON = [
      "type": .string(type), "challenge": .string(challenge), "origin": .string(origin),
      "crossOrigin": .boolean(isFramed), "other_keys_can_be_added_here": "as Chromium does",
    ]
    return data.encoded
  }

  private func authenticatorData(_ more: UInt8 = 0) -> [UInt8] {
    let flags: UInt8 =
      0x01 | (isUserVerified ? 0x04 : 0) | (isSynchronizable ? 0x08 : 0)
      | (isSynchronized ? 0x10 : 0) | more
    return SHA256.digest(of: host.utf8) + [flags]
      + withUnsafeBytes(of: signCount.bigEndian, Array.init)
  }

  /// Returns the response to the options for a new passkey, counts it, and keeps their user handle.
  package func created(_ options: JSON) -> String {
    defer { signCount += 1 }
    handle = options["user"]?["id"]?.text.flatMap(Base64.url.decoded) ?? []
    let data =
      authenticatorData(0x40) + [UInt8](repeating: 0, count: 16)
      + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id + CBORWriter.bytes(publicKey)
    let attestation: CBOR = ["fmt": "none", "attStmt": [:], "authData": .bytes(data)]
    let challenge = options["challenge"]?.text ?? ""
    return response([
      ("clientDataJSON", clientData("webauthn.create", challenge)),
      ("attestationObject", CBORWriter.bytes(attestation)),
    ])
  }

  /// Returns the response to a challenge of the sign-in, and counts it.
  package func signedIn(_ challenge: String) -> String {
    let (client, data) = (clientData("webauthn.get", challenge), authenticatorData())
    defer { signCount += 1 }
    return response(
      [
        ("clientDataJSON", client), ("authenticatorData", data),
        ("signature", signer.signature(of: data + SHA256.digest(of: client))),
      ] + (handle.isEmpty ? [] : [("userHandle", handle)]))
  }

  private func response(_ parts: [(String, [UInt8])]) -> String {
    let members = parts.map { JSON.Member($0.0, .string(Base64.url.text($0.1))) }
    let whole: JSON = [
      "id": .string(Base64.url.text(id)), "type": "public-key",
      "response": .object(members + [JSON.Member("transports", ["internal", "<b>"])]),
    ]
    return String(decoding: whole.encoded, as: UTF8.self)
  }
}

extension TestPage {
  /// The options of the page that makes a passkey; throws if there are none.
  package func passkeyOptions() throws -> JSON {
    let written = body.firstMatch(of: /data-passkey="create" data-options="([^"]*)"/)?.1 ?? ""
    let text = written.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    return try JSON(reading: Array(text.utf8))
  }
}

extension TestVisitor {
  /// Adds a passkey on the page that makes one, which `page` is.
  package func add(
    _ passkey: TestPasskey, on page: TestPage, named name: String = "Phone"
  ) throws -> TestPage {
    let path = "/account/passkeys/create"
    let own = page.hidden(of: path).filter { $0.0 != "credential" }
    let response = passkey.created(try page.passkeyOptions())
    return post(path, pairs: own + [("name", name), ("credential", response)])
  }

  /// Adds a passkey within the first minutes of the session.
  package func add(_ passkey: TestPasskey, named name: String = "Phone") throws -> TestPage {
    try add(passkey, on: get("/account/passkeys/new"), named: name)
  }

  /// Returns a new challenge of the sign-in page; empty if there is none.
  package func passkeyChallenge() throws -> String {
    _ = get("/login")
    return try get("/login/passkey/options").json()["challenge"]?.text ?? ""
  }

  /// Sends a response with the form for passkeys of a page.
  package func send(passkeyResponse response: String, on page: TestPage) -> TestPage {
    let path = "/login/passkey"
    let own = page.hidden(of: path).filter { $0.0 != "credential" }
    return post(path, pairs: own + [("credential", response)])
  }

  /// Signs in with a passkey on the sign-in page.
  package func signIn(with passkey: TestPasskey) throws -> TestPage {
    let challenge = try passkeyChallenge()
    return send(passkeyResponse: passkey.signedIn(challenge), on: get("/login"))
  }
}
