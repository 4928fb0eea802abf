import Foundation
import PolyclinicCore
import PolyclinicFormats
import PolyclinicTestSupport
import Testing

@testable import VaccinationQR

/// EU certificates signed by the tests.
@Suite struct EuropeanCertificateTests {
  private static let inTime = Instant(1_620_324_001)

  private func words(
    _ certificate: any DecodedCertificate, _ section: String, _ language: Language = .english
  ) -> [String: String] {
    let formats = Formats(language: language, timeZone: .utc)
    let statements = certificate.sections.filter { $0.name == section }.flatMap(\.statements)
    return Dictionary(statements.map { ($0.name, $0.value.words(in: formats)) }) { first, _ in
      first
    }
  }

  @Test func `a vaccination is decoded, and its codes are translated into words`() throws {
    let certificate = try MadeCertificate().certificate()
    #expect(certificate.name.family == "Gößinger" && certificate.birthDate == "1998-02-26")
    let english = words(certificate, "vaccination")
    #expect(english["product"] == "Comirnaty" && english["dose"] == "3 / 2")
    #expect(english["vaccine"] == "SARS-CoV-2 mRNA vaccine" && english["country"] == "Austria")
    #expect(english["vaccinated-on"] == "18 February 2021")
    #expect(words(certificate, "vaccination", .russian)["country"] == "Австрия")
    #expect(words(certificate, "vaccination", .hebrew)["vaccine"]?.contains("mRNA") == true)
    let product = certificate.sections[1].statements.first { $0.name == "product" }
    #expect(product?.value.code == "EU/1/20/1528")
  }

  @Test func `a test and a recovery are decoded`() throws {
    let test = try MadeCertificate(entry: MadeCertificate.test, entryName: "t").certificate()
    #expect(words(test, "test")["result"] == "Not detected")
    #expect(words(test, "test")["sampled-at"] == "13 April 2021 at 14:20 (UTC)")
    let recovery = try MadeCertificate(entry: MadeCertificate.recovery, entryName: "r")
      .certificate()
    #expect(words(recovery, "recovery")["valid-until"] == "4 October 2021")
  }

  @Test func `an unknown code is shown unchanged`() throws {
    let entry: CBOR = ["tg": "840539006", "mp": "Unknown-1", "vp": "42", "co": "ZZ"]
    let certificate = try MadeCertificate(entry: entry).certificate()
    let shown = words(certificate, "vaccination")
    #expect(shown["product"] == "Unknown-1" && shown["vaccine"] == "42" && shown["country"] == "ZZ")
    #expect(
      certificate.sections[1].statements.allSatisfy {
        $0.value.words(in: Formats(language: .english, timeZone: .utc)) != $0.value.code
      })
  }

  @Test(arguments: ["", "1998", "1998-02"])
  func `a birth date may be incomplete`(date: String) throws {
    let certificate = try MadeCertificate(birthDate: .text(date)).certificate()
    #expect(certificate.birthDate == date)
    #expect(words(certificate, "person")["birth-date"] == (date.isEmpty ? nil : date))
  }

  @Test(arguments: [
    ("2021-06-02T00:00:00+02:00", "2 June 2021"), ("2021-06-02T00:00:00-05:00", "2 June 2021"),
    ("2021-06-02T00:00Z", "2 June 2021"), ("2021-06-02T00:00:00.000Z", "2 June 2021"),
    ("2021-06-02T00:00:00", "2 June 2021"), ("2021-06-02 00:00", "2 June 2021"),
    ("2021-06-02T00:00:00+0300", "2 June 2021"), ("2021-06-02T00:00:00-10", "2 June 2021"),
    ("2021-06-01T22:00:00Z", "1 June 2021 at 22:00 (UTC)"),
    ("2021-06-01T22:00:00 -04:30", "1 June 2021 at 22:00 (UTC-04:30)"),
    ("2021-06-01T22:00", "1 June 2021 at 22:00"), ("2021-06-01T25:00Z", "2021-06-01T25:00Z"),
    ("2021-XX-XX", "2021-XX-XX"), ("1.6.2021", "1.6.2021"),
    ("2021-06-01 approx.", "2021-06-01 approx."),
  ])
  func `a date stays the one that is written, in every zone`(
    _ written: String, _ shown: String
  ) throws {
    for zone in ["Pacific/Honolulu", "Etc/UTC", "Pacific/Auckland"] {
      let formats = Formats(language: .english, timeZone: try #require(Zone(zone)))
      #expect(Statement.Value.date(written).words(in: formats) == shown)
    }
    let recovery: CBOR = ["fr": .text(written), "df": .text(written), "du": .text(written)]
    let certificate = try MadeCertificate(
      entry: recovery, entryName: "r", birthDate: .text(written)
    ).certificate()
    #expect(words(certificate, "person")["birth-date"] == shown)
    for name in ["first-positive", "valid-from", "valid-until"] {
      #expect(words(certificate, "recovery")[name] == shown)
    }
    let day = CalendarDate(String(written.prefix(10)))
    let vaccination = MadeCertificate(entry: ["mp": "EU/1/20/1528", "dt": .text(written)])
    #expect(Vaccination(Code(try vaccination.payload()))?.date == day)
    let resource = try vaccination.certificate().fhir(id: "a")[0]
    #expect(
      resource["occurrenceDateTime"]?.string.flatMap { CalendarDate(String($0.prefix(10))) } == day)
  }

  @Test(
    arguments: [
      (["fnt": "COHEN<<LEVI", "gnt": "DANA"], "DANA COHEN LEVI"), (["fnt": "ONLY"], "ONLY"),
      (["fn": "Коэн", "gnt": "DANA"], "DANA Коэн"),
      (["gn": "Dana", "fnt": "COHEN", "fn": ""], "Dana COHEN"),
      (["fn": "Cohen", "gn": "Dana", "fnt": "KOHEN", "gnt": "DANAH"], "Dana Cohen"),
    ] as [([String: String], String)])
  func `the passport's names name the holder where others are missing`(
    _ names: [String: String], _ holder: String
  ) throws {
    let pairs = names.map { CBOR.Pair(key: .text($0), value: .text($1)) }
    let made = MadeCertificate(name: .map(pairs))
    #expect(try made.certificate().holder.name == holder)
    #expect(Vaccination(Code(try made.payload()))?.label == holder)
    let patient = try made.certificate().resources(id: "a")[0]["contained"]?.items.first
    #expect(patient?["name"]?.items.first?["text"]?.string == holder)
  }

  @Test(
    arguments: [
      ("2", "3", "2 / 3", 2), (.double(2), .double(3), "2 / 3", 2), ("2.0", 2, "2 / 2", 2),
      (.tagged(1, 1), "2", "1 / 2", 1), ("booster", 2, "booster / 2", nil),
      ("2", "two", "2 / two", 2),
      ("1/1", "1/1", "1/1 / 1/1", nil), (.double(1.5), 2, "1.5 / 2", nil),
    ] as [(CBOR, CBOR, String, Int?)])
  func `a dose that is not a whole number in CBOR is shown as it is written`(
    _ dose: CBOR, _ doses: CBOR, _ shown: String, _ number: Int?
  ) throws {
    let made = MadeCertificate(entry: ["mp": "EU/1/20/1528", "dn": dose, "sd": doses])
    #expect(words(try made.certificate(), "vaccination")["dose"] == shown)
    #expect(Vaccination(Code(try made.payload()))?.dose == number)
    let applied = try made.certificate().fhir(id: "a")[0]["protocolApplied"]?.items.first
    #expect(applied?["doseNumberPositiveInt"] == number.map { JSON.integer(Int64($0)) })
    #expect((applied?["doseNumberString"]?.string == shown) == (number == nil))
  }

  @Test func `codes written as numbers are shown like text`() throws {
    let entry: CBOR = ["tg": 840_539_006, "vp": 1_119_349_007, "dt": .tagged(1004, "2021-02-18")]
    let certificate = try MadeCertificate(entry: entry, birthDate: 1998).certificate()
    let shown = words(certificate, "vaccination")
    #expect(shown["vaccine"] == "SARS-CoV-2 mRNA vaccine" && shown["disease"] == "COVID-19")
    #expect(shown["vaccinated-on"] == "18 February 2021")
    #expect(words(certificate, "person")["birth-date"] == "1998")
  }

  @Test func `a signature is verified for each algorithm, key id position and encoding`() throws {
    for key in [TestSigner(), .rsa] {
      for isKeyIDProtected in [true, false] {
        for isPacked in [true, false] {
          let made = MadeCertificate(
            key: key, isKeyIDProtected: isKeyIDProtected, isTagged: isPacked,
            isCompressed: isPacked)
          let verified = Verification(
            of: try made.certificate(), with: [made.trusted], at: Self.inTime)
          #expect(verified.signature == .right(made.trusted, .unknown))
        }
      }
    }
  }

  @Test func `the right key is found among several with the same id`() throws {
    let made = MadeCertificate()
    let other = MadeCertificate()
    let rsa = MadeCertificate(key: .rsa)
    let keys = [other.trusted, rsa.trusted, made.trusted]
    let verified = Verification(of: try made.certificate(), with: keys, at: Self.inTime)
    #expect(verified.signature == .right(made.trusted, .unknown))
  }

  @Test func `a signature is wrong with another key, and unchecked without a key`() throws {
    let made = MadeCertificate()
    let certificate = try made.certificate()
    let wrong = Verification(of: certificate, with: [MadeCertificate().trusted], at: Self.inTime)
    #expect(wrong.signature == .wrong)
    let unchecked = Verification(of: certificate, with: [], at: Self.inTime)
    #expect(unchecked.signature == .noKey(KeyID(made.keyID)))
    #expect(unchecked.revocation == .notChecked)
  }

  @Test func `a message with a changed byte is unreadable or fails verification`() throws {
    let made = MadeCertificate()
    let message = try made.message()
    for place in message.indices {
      var changed = message
      changed[place] ^= 1
      switch Code(MadeCertificate.payload(changed)) {
      case .unreadable(.european, _): break
      case .european(let certificate):
        let verified = Verification(of: certificate, with: [made.trusted], at: Self.inTime)
        if case .right = verified.signature { Issue.record("byte \(place)") }
      default: Issue.record("byte \(place) makes it another kind")
      }
    }
  }

  @Test func `the technical expiry is reported separately from the signature`() throws {
    let made = MadeCertificate()
    let certificate = try made.certificate()
    func verified(_ now: Instant) -> Verification {
      Verification(of: certificate, with: [made.trusted], at: now)
    }
    let before = verified(made.issuedAt - .seconds(1))
    #expect(before.isAhead == true && before.hasExpired == false)
    let last = verified(made.expiresAt - .seconds(1))
    #expect(last.isAhead == false && last.hasExpired == false)
    let after = verified(made.expiresAt)
    #expect(after.hasExpired == true && after.signature == .right(made.trusted, .unknown))
    #expect([before, last, after].map(\.state) == [.ahead, .valid, .expired])
  }

  @Test func `a zlib bomb is refused`() throws {
    let bomb = MadeCertificate.compressed([UInt8](repeating: 0, count: 4 << 20), 15)
    let payload = MadeCertificate.payload(bomb)
    #expect(payload.count < Code.limit)
    guard case .unreadable(.european, .compression) = Code(payload) else {
      Issue.record("the bomb was not refused")
      return
    }
  }

  @Test func `truncated and random codes are refused`() throws {
    let payload = try MadeCertificate().payload()
    for length in 4..<payload.count {
      guard case .unreadable(.european, _) = Code(Array(payload[..<length])) else {
        Issue.record("\(length) bytes were read")
        continue
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...600)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for content in [bytes, [0xD2, 0x84] + bytes, MadeCertificate.compressed(bytes, 15)] {
        guard case .unreadable(.european, _) = Code(MadeCertificate.payload(content)) else {
          Issue.record("random bytes were read")
          continue
        }
      }
      _ = Code(bytes)
      _ = Code(Array("shc:/".utf8) + bytes)
    }
  }

  @Test func `a code above 8 KB is refused for its size`() {
    guard
      case .unreadable(.european, .size) = Code(
        [UInt8]("HC1:".utf8) + [UInt8](repeating: 0x30, count: 8_192))
    else {
      Issue.record("the code was read")
      return
    }
  }

  @Test func `a message without a certificate is refused for its content`() throws {
    let made = MadeCertificate(entryName: "x")
    guard case .unreadable(.european, .content) = Code(try made.payload()) else {
      Issue.record("there is no entry in it")
      return
    }
  }

  @Test func `certificates are exported to FHIR as Immunization, Observation and Condition`() throws
  {
    let immunization = try MadeCertificate().certificate().resources(id: "certificate-7")[0]
    #expect(immunization["resourceType"]?.string == "Immunization")
    #expect(immunization["id"]?.string == "certificate-7-1")
    #expect(immunization["patient"]?["reference"]?.string == "#holder")
    let holder = immunization["contained"]?.items.first
    #expect(holder?["name"]?.items.first?["text"]?.string == "Gabriele Gößinger")
    #expect(holder?["birthDate"]?.string == "1998-02-26")
    #expect(immunization["occurrenceDateTime"]?.string == "2021-02-18")
    let codes = immunization["vaccineCode"]?["coding"]?.items.compactMap { $0["code"]?.string }
    #expect(codes == ["1119349007", "EU/1/20/1528"])
    let dose = immunization["protocolApplied"]?.items.first
    #expect(dose?["doseNumberPositiveInt"] == 3 && dose?["seriesDosesPositiveInt"] == 2)
    let test = try MadeCertificate(entry: MadeCertificate.test, entryName: "t").certificate()
    let observation = test.fhir(id: "a")[0]
    #expect(observation["effectiveDateTime"]?.string == "2021-04-13T14:20:00+00:00")
    #expect(observation["valueCodeableConcept"]?["coding"]?.items[0]["code"]?.string == "260415000")
    let recovery = try MadeCertificate(entry: MadeCertificate.recovery, entryName: "r")
      .certificate()
    #expect(recovery.fhir(id: "a")[0]["onsetDateTime"]?.string == "2021-02-20")
  }
}
