import Foundation
import PolyclinicCore
import PolyclinicTestSupport

@testable import VaccinationQR

/// A SMART Health Card signed by a test.
struct MadeHealthCard {
  var key = TestSigner()
  var keyID = "3Kfdg-XwP-7gXyywtUfUADwBumDOPKMQx-iELL11W9s"
  var notBefore = "1620992383.218"
  var revocationNumber: String?
  var bundle = Self.bundle

  static let bundle: JSON = [
    "resourceType": "Bundle", "type": "collection",
    "entry": [
      [
        "fullUrl": "resource:0",
        "resource": [
          "resourceType": "Patient", "name": [["family": "Anyperson", "given": ["John", "B."]]],
          "birthDate": "1951-01-20",
        ],
      ],
      [
        "fullUrl": "resource:1",
        "resource": [
          "resourceType": "Immunization", "status": "completed",
          "vaccineCode": [
            "coding": [["system": "http://hl7.org/fhir/sid/cvx", "code": "207"]]
          ],
          "patient": ["reference": "resource:0"], "occurrenceDateTime": "2021-01-01",
          "performer": [["actor": ["display": "ABC General Hospital"]]], "lotNumber": "0000001",
        ],
      ],
      [
        "fullUrl": "resource:2",
        "resource": [
          "resourceType": "Observation", "status": "final",
          "code": ["coding": [["system": "http://loinc.org", "code": "94558-4"]]],
          "effectiveDateTime": "2021-02-17",
          "valueCodeableConcept": [
            "coding": [["system": "http://snomed.info/sct", "code": "260373001"]]
          ],
        ],
      ],
    ],
  ]

  var trusted: TrustedKey {
    TrustedKey(
      id: KeyID(keyID), publicKey: key.publicKey, certificate: nil,
      format: .keySet)
  }

  /// Returns the JSON Web Signature.
  func signature() throws -> String {
    let header: JSON = ["zip": "DEF", "alg": "ES256", "kid": .string(keyID)]
    var credential: [JSON.Member] = [
      .init("credentialSubject", ["fhirVersion": "4.0.1", "fhirBundle": bundle])
    ]
    if let revocationNumber { credential.append(.init("rid", .string(revocationNumber))) }
    let payload: JSON = [
      "iss": "https://spec.smarthealth.cards/examples/issuer", "nbf": .written(notBefore),
      "vc": .object(credential),
    ]
    let packed = MadeCertificate.compressed(payload.encoded, -15)
    let signed = Self.base64URL(header.encoded) + "." + Self.base64URL(packed)
    return signed + "." + Self.base64URL(key.numbers(of: Array(signed.utf8)))
  }

  func payload() throws -> String { Self.payload(try signature()) }

  static func payload(_ signature: String) -> String {
    "shc:/"
      + signature.utf8.map { byte in
        let digits = String(Int(byte) - 45)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
  }

  func card() throws -> HealthCard {
    guard case .healthCard(let card) = Code(Array(try payload().utf8)) else {
      throw DecodingFailure()
    }
    return card
  }

  static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}
