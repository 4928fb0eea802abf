import Foundation
import PolyclinicCore
import PolyclinicDocuments
import PolyclinicTesting
import Testing
import VaccinationQR

/// The pages of a decoded certificate, at noon in Minsk on 4 May 2026.
@Suite struct CertificatePageTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(VaccinationQRModule())
    anna = try portal.register()
  }

  private func keep(_ made: MadeCertificate, label: String = "") throws -> String {
    let code = try DocumentDecoder.draw(try made.payload())
    let picture = try #require(code.drawing).picture.bytes
    let answer = anna.upload("/vaccination-qr/new", "image", picture, ["label": label])
    return String(answer.location.prefix { $0 != "?" })
  }

  @Test func `a certificate's page shows its data in words, with the EU codes`() throws {
    let page = anna.get(try keep(MadeCertificate()))
    for text in [
      "EU Digital COVID Certificate", "Gößinger", "26 February 1998", "Comirnaty", "EU/1/20/1528",
      "18 February 2021", "Austria", "Ministry of Health, Austria",
    ] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `signature, expiry and revocation are shown apart, and never as valid`() throws {
    let page = anna.get(try keep(MadeCertificate()))
    for text in [
      "Signature not checked", "The code has expired", "Revocation not checked",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.body.lowercased().contains("valid."))
  }

  @Test func `a row of the list begins with the holder, before the label, kind and dose`() throws {
    _ = try keep(MadeCertificate(), label: "Mother")
    let list = try #require(anna.get("/vaccination-qr").main.first { $0.hasClass("certificates") })
    #expect(list.first { $0.name == "strong" }?.text == "Gabriele Gößinger")
    let detail = try #require(list.first { $0.hasClass("secondary-text") })
    #expect(detail.text == "Mother · EU Digital COVID Certificate · dose 3/2")
  }

  @Test func `a certificate of a test has no dose, and its label stands once`() throws {
    _ = try keep(
      MadeCertificate(entry: MadeCertificate.test, entryName: "t"), label: "Gabriele Gößinger")
    let list = try #require(anna.get("/vaccination-qr").main.first { $0.hasClass("certificates") })
    let detail = try #require(list.first { $0.hasClass("secondary-text") })
    #expect(detail.text == "EU Digital COVID Certificate")
  }

  @Test func `expired certificates stand below the others, and their buttons step back`() throws {
    let path = "/vaccination-qr"
    let old = try keep(MadeCertificate(), label: "Old")
    let alone = anna.get(path)
    #expect(alone.sections == ["Expired"] && alone.text.contains("usually reject an expired code"))
    #expect(alone.filledButtons == ["Add a certificate"])
    _ = try keep(MadeCertificate(expiresAt: Instant(1_900_000_000)), label: "New")
    let both = anna.get(path)
    #expect(both.filledButtons == ["Show QR code New"] && both.hasLink(to: "\(old)/show"))
    #expect(both.rows.prefix(2).map { $0.contains("New") } == [true, false])
    // Each part has its own first certificate.
    #expect(!anna.get(old).contains("\(old)/first"))
  }

  @Test func `a list without expired certificates has no heading of its own`() throws {
    let path = "/vaccination-qr"
    _ = try keep(MadeCertificate(expiresAt: Instant(1_900_000_000)))
    let page = anna.get(path)
    #expect(page.sections.isEmpty && !page.text.contains("usually reject"))
    #expect(page.hasRow("Vaccination record") && page.hasRow("Print all"))
  }

  @Test(arguments: Language.allCases)
  func `an expired certificate says so in the list and wherever it is shown`(
    _ language: Language
  ) throws {
    let boris = try portal.register(language: language)
    for expiresAt in [1_635_876_000, 1_900_000_000] {
      let made = MadeCertificate(expiresAt: Instant(Int64(expiresAt)))
      let code = try DocumentDecoder.draw(try made.payload())
      let picture = try #require(code.drawing).picture.bytes
      let path = boris.upload("/vaccination-qr/new", "image", picture).location.prefix { $0 != "?" }
      let pages = ["\(path)", "\(path)/show"].map { boris.get($0) }
      // The certificate that has not expired is not said to be, in the list of both either.
      let isExpired = expiresAt < 1_700_000_000
      #expect(boris.get("/vaccination-qr").badges.count { $0.contains("2021") } == 1)
      for page in pages {
        #expect(page.badges.contains { $0.contains("2021") } == isExpired)
      }
    }
  }

  @Test func `the home page lists certificates by name, kind and holder, without their codes`()
    throws
  {
    let path = try keep(MadeCertificate(expiresAt: Instant(1_900_000_000)), label: "Mother")
    let home = anna.get("/")
    #expect(home.hasRow("Mother") && home.hasRow("EU Digital COVID Certificate"))
    #expect(home.hasLink(to: "\(path)/show") && !home.contains("expired"))
    #expect(!home.contains("<div class=\"qr"))
  }

  @Test func `the home page counts expired certificates in one line`() throws {
    let path = try keep(MadeCertificate(), label: "Mother")
    let home = anna.get("/")
    #expect(home.contains("<p class=\"secondary-text\">1 expired</p>"))
    #expect(home.hasLink("Vaccinations") && !home.hasLink(to: "\(path)/show"))
    #expect(!home.contains("Mother"))
    _ = try keep(MadeCertificate(expiresAt: Instant(1_900_000_000)), label: "Father")
    #expect(anna.get("/").contains("<p class=\"secondary-text\">1 expired</p>"))
  }

  @Test func `a certificate's page begins with what it says, and folds the code's details`() throws
  {
    let page = anna.get(try keep(MadeCertificate()))
    let summary = try #require(page.main.first { $0.name == "dl" })
    for words in ["Gabriele Gößinger", "COVID-19", "Comirnaty", "18 February 2021"] {
      #expect(summary.text.contains(words), "\(words)")
    }
    #expect(!summary.text.contains("EU/1/20/1528") && !summary.text.contains("URN:UVCI"))
    let details = try #require(page.main.first { $0.name == "details" })
    #expect(details.text.contains("EU/1/20/1528") && details.text.contains("URN:UVCI"))
    #expect(details.attributes["open"] == nil)
    let deletion = try #require(
      page.main.first { $0.attributes["href"]?.hasSuffix("/clear") == true })
    #expect(deletion.hasClass("danger"))
  }

  @Test func `each row of the list has one button, which shows the certificate`() throws {
    for label in ["Mother", "Father", "Child"] { _ = try keep(MadeCertificate(), label: label) }
    let list = try #require(anna.get("/vaccination-qr").main.first { $0.hasClass("certificates") })
    let buttons = list.all { $0.hasClass("button") }
    #expect(
      buttons.map(\.text) == ["Show QR code Mother", "Show QR code Father", "Show QR code Child"])
  }

  @Test func `a link is named and shown as text without a hyperlink`() throws {
    let address = "https://www.gosuslugi.ru/covid-cert/verify/1?ck=2"
    let answer = anna.upload("/vaccination-qr/new", "image", try picture(of: address))
    let page = anna.get(answer.location)
    #expect(page.contains("A link to Gosuslugi") && page.contains(address))
    #expect(!page.contains("href=\"https://www.gosuslugi.ru"))
  }

  @Test func `a certificate fills in the form of a vaccination, for its owner only`() throws {
    let path = try keep(MadeCertificate())
    let page = anna.get(path)
    let link = "/vaccination-qr/record/new?certificate=1&amp;number=1"
    #expect(page.contains(link))
    let form = anna.get("/vaccination-qr/record/new?certificate=1&number=1")
    for text in ["Comirnaty", "2021-02-18", "Ministry of Health, Austria", "COVID-19"] {
      #expect(form.contains(text), "\(text)")
    }
    let boris = try portal.register()
    #expect(boris.get("/vaccination-qr/record/new?certificate=1&number=1").status == 404)
  }

  @Test func `all certificates are printed on one sheet, or a single one`() throws {
    _ = try keep(MadeCertificate(), label: "Mother")
    let father = try keep(MadeCertificate(), label: "Father")
    let all = anna.get("/vaccination-qr/print")
    #expect(all.contains("Mother") && all.contains("Father"))
    let number = try #require(father.split(separator: "/").last)
    let one = anna.get("/vaccination-qr/print?certificate=\(number)")
    #expect(!one.contains("Mother") && one.contains("Father"))
  }

  @Test func `a SMART Health Card file is kept with drawn codes, and other JSON is refused`() throws
  {
    let card = try MadeHealthCard().signature()
    let file = "{\"verifiableCredential\": [\"\(card)\"]}"
    let answer = anna.upload("/vaccination-qr/new", "image", Array(file.utf8), ["label": "John"])
    let page = anna.get(answer.location)
    #expect(page.hasSection("SMART Health Card") && page.fact("Surname") == "Anyperson")
    #expect(page.contains("<div class=\"qr\"><svg"))
    let broken = anna.upload("/vaccination-qr/new", "image", Array("{\"a\": 1}".utf8))
    #expect(broken.status == 422 && broken.hasError("not a SMART Health Card file"))
  }

  @Test func `a file of cards is read behind a byte order mark or blanks`() throws {
    let text = "{\"verifiableCredential\": [\"\(try MadeHealthCard().signature())\"]}"
    let files: [[UInt8]] = [
      [0xEF, 0xBB, 0xBF] + Array(text.utf8), Array("\r\n\t \(text)\n".utf8),
      [0xEF, 0xBB, 0xBF] + Array("\n\(text)".utf8),
    ]
    for file in files {
      let answer = anna.upload("/vaccination-qr/new", "image", file)
      #expect(answer.status == 303 && anna.get(answer.location).fact("Surname") == "Anyperson")
    }
    let picture = try picture(of: "HC1:TEST")
    for before in [[0xEF, 0xBB, 0xBF], Array("\r\n ".utf8)] as [[UInt8]] {
      #expect(anna.upload("/vaccination-qr/new", "image", before + picture).status == 303)
    }
  }

  @Test func `a program stores a certificate by its text, reads and renames it`() throws {
    let token = try anna.makeToken(["vaccination-qr": "write"])
    let program = TestProgram(portal, token: token)
    let text = String(decoding: try MadeCertificate().payload(), as: UTF8.self)
    let sent: JSON = ["label": "Mother", "payload": .string(text)]
    let made = program.post(
      "/api/v1/vaccination-qr", String(decoding: sent.encoded, as: UTF8.self))
    #expect(made.status == 201, "\(made.body)")
    let code = try #require(try made.json()["codes"]?[0])
    #expect(code["kind"]?.text == "eu" && code["payload"]?.text == text)
    #expect(code["trust"]?["signature"]?.text == "not-checked")
    #expect(anna.get("/vaccination-qr/1").fact("Surname") == "Gößinger")
    let renamed = program.put(
      made.location, made.body.replacing("Mother", with: "Mama"), over: made.tag)
    #expect(renamed.status == 200, "\(renamed.body)")
    #expect(program.get("\(made.location)/image").status == 404)
  }

  @Test func `a certificate that is kept already is saved, and the page says so`() throws {
    let code = try DocumentDecoder.draw(try MadeCertificate().payload())
    let picture = try #require(code.drawing).picture.bytes
    for words in ["Certificate saved.", "You kept it already"] {
      let answer = anna.upload("/vaccination-qr/new", "image", picture)
      #expect(anna.get(answer.location).hasNotice(.success, words))
    }
    let boris = try portal.register(login: "boris")
    let answer = boris.upload("/vaccination-qr/new", "image", picture)
    #expect(!boris.get(answer.location).hasNotice(.success, "You kept it already"))
  }

  @Test func `a program reads the image of a certificate`() throws {
    _ = try keep(MadeCertificate())
    let token = try anna.makeToken(["vaccination-qr": "read"])
    let image = try TestProgram(portal, token: token).get("/api/v1/vaccination-qr/1/image").json()
    let bytes = try #require(Data(base64Encoded: image["data"]?.text ?? ""))
    #expect(try Picture(Array(bytes)).type.description == image["contentType"]?.text)
  }

  @Test func `certificates and vaccinations are exported as FHIR resources`() throws {
    _ = try keep(MadeCertificate())
    _ = try anna.submit(
      "/vaccination-qr/record/new", ["vaccine": "Td-pur", "date": "2026-05-01", "batch": "A1"])
    _ = try anna.submit(
      "/vaccination-qr/record/new", ["vaccine": "FSME", "date": "2026-05-01", "label": "Theo"])
    let keys = try portal.keys(of: anna)
    var bytes: [UInt8] = []
    try portal.read { work in
      let sink = ByteSink { bytes += $0 }
      let writer = JSON.Writer(to: sink)
      try VaccinationQRModule().personalData.fhir?(work.with(keys), writer)
      try writer.finish()
      try sink.flush()
    }
    let resources = try JSON(reading: bytes)
    #expect(resources.count == 3)
    #expect((0..<3).allSatisfy { resources[$0]?["resourceType"]?.text == "Immunization" })
    #expect(resources[1]?["lotNumber"]?.text == "A1")
    let patients = (0..<3).map { resources[$0]?["patient"]?["reference"]?.text }
    #expect(patients == ["#holder", PersonalData.patientReference, "#holder"])
    #expect(resources[2]?["contained"]?[0]?["name"]?[0]?["text"]?.text == "Theo")
  }

  @Test func `a demonstration shows certificates and vaccinations of its first patient`() throws {
    let portal = try TestPortal(VaccinationQRModule())
    try portal.demonstrate()
    let patient = portal.visitor()
    _ = try patient.submit(
      "/login", ["login": "patient", "password": "four kind otters rowing home"])
    let list = patient.get("/vaccination-qr")
    #expect(list.hasRow("Grandmother") && list.hasRow("Theo"))
    #expect(list.hasRow("Alice Elmswood"))
    #expect(patient.get("/vaccination-qr/record").hasRow("Tetanus"))
    let page = patient.get("/vaccination-qr/1")
    #expect(page.fact("First name") == "Rose" && page.hasFact("Comirnaty") && page.contains("<svg"))
  }
}

extension TestPage {
  /// The words of the buttons that stand out, in order.
  fileprivate var filledButtons: [String] {
    main.all { $0.hasClass("button") && !$0.hasClass("secondary") }.map(\.text)
  }
}
