import Foundation
import PolyclinicCore
import PolyclinicDocuments
import PolyclinicTesting
import Testing

@testable import VaccinationQR

@Suite struct CertificateTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(VaccinationQRModule())
    anna = try portal.register()
  }

  /// Uploads a picture of a code and returns the path of the certificate.
  private func keep(_ text: String, label: String = "") throws -> String {
    let answer = try anna.upload(
      "/vaccination-qr/new", "image", picture(of: text), ["label": label])
    #expect(answer.status == 303)
    return String(answer.location.prefix { $0 != "?" })
  }

  @Test func `the list leads to the form for a new certificate, with and without others`() throws {
    for _ in 0..<2 {
      let page = anna.get("/vaccination-qr")
      #expect(page.hasLink(to: "/vaccination-qr/new"))
      #expect(page.main.all { $0.attributes["type"] == "file" }.isEmpty)
      #expect(anna.get("/vaccination-qr/new").hasField("image"))
      _ = try keep("HC1:TEST")
    }
  }

  @Test func `an uploaded code is decoded, kept and drawn again`() throws {
    let path = try keep("HC1:TEST", label: "Mother")
    let page = anna.get("\(path)?kept=yes")
    #expect(page.heading == "Mother" && page.hasNotice(.success))
    #expect(page.contains("<div class=\"qr\"><svg"))
    let drawn = try Picture(anna.getBytes("\(path)/qr.png"))
    let read = try DocumentDecoder.decode(drawn.bytes)
    #expect(read.pages.flatMap(\.codes).map(\.payload) == [Array("HC1:TEST".utf8)])
    #expect(anna.get("/vaccination-qr").hasRow("Mother"))
  }

  @Test func `a code is shown full-screen without the portal's header`() throws {
    let page = anna.get("\(try keep("HC1:TEST", label: "Mother"))/show")
    #expect(page.contains("<svg") && page.contains("Mother"))
    #expect(!page.contains("<header"))
  }

  @Test func `an image without a code is kept, and the page reports that none was found`() throws {
    let answer = anna.upload("/vaccination-qr/new", "image", onePixel, ["label": "Mother"])
    #expect(answer.status == 303)
    let page = anna.get(answer.location)
    #expect(page.hasNotice(.plain, "no QR code") && page.contains("/image?number=1"))
    #expect(anna.get(answer.location.prefix { $0 != "?" } + "/show").contains("/image"))
  }

  @Test(arguments: [
    ("<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG"), ("\u{89}PNG\r\n", "not a PNG"),
    ("", "Choose a file"),
  ])
  func `a file that is not an image is refused with the reason and keeps the typed label`(
    content: String, reason: String
  ) throws {
    let answer = anna.upload(
      "/vaccination-qr/new", "image", Array(content.utf8), ["label": "Mother"])
    #expect(answer.status == 422)
    #expect(answer.contains(reason) && answer.hasValue("Mother"))
  }

  @Test func `a file above the configured size limit is refused`() throws {
    let small = try TestPortal(VaccinationQRModule(), settings: ["max_bytes": .integer(100_000)])
    let answer = try small.register().upload(
      "/vaccination-qr/new", "image", [UInt8](repeating: 0, count: 100_001))
    #expect(answer.status == 422 && answer.hasError("too large"))
  }

  @Test func `certificates are listed in the order chosen by their owner`() throws {
    let paths = try ["Mother", "Father", "Child"].map { try keep($0, label: $0) }
    func order() -> [String] {
      let page = anna.get("/vaccination-qr").body
      return ["Mother", "Father", "Child"].sorted {
        (page.range(of: $0)?.lowerBound ?? page.endIndex)
          < (page.range(of: $1)?.lowerBound ?? page.endIndex)
      }
    }
    #expect(order() == ["Mother", "Father", "Child"])
    _ = anna.press("\(paths[2])/first", on: paths[2])
    #expect(order() == ["Child", "Mother", "Father"])
    _ = anna.press("\(paths[1])/first", on: paths[1])
    #expect(order() == ["Father", "Child", "Mother"])
    #expect(!anna.get(paths[1]).hasForm(for: "\(paths[1])/first"))
    #expect(anna.get("/").contains("\(paths[1])/show"))
  }

  @Test func `a deleted certificate is restored with its images`() throws {
    let path = try keep("HC1:TEST", label: "Mother")
    let list = try anna.submit("\(path)/clear", [:])
    #expect(anna.get(path).status == 404 && anna.get("\(path)/image").status == 404)
    _ = anna.press("/account/deleted/restore", on: list.location)
    #expect(anna.get(path).contains("<div class=\"qr\"><svg"))
    #expect(try Picture(anna.getBytes("\(path)/image")).bytes.count > 100)
  }

  @Test func `a key added later verifies a certificate that was stored before`() throws {
    let made = MadeCertificate()
    let path = try keep(String(decoding: made.payload(), as: UTF8.self))
    try portal.write { _ = try made.trusted.store(in: $0) }
    #expect(anna.get(path).contains("Valid signature"))
  }

  @Test func `the state of a certificate stands beside its name`() throws {
    let expired = MadeCertificate()
    var lasting = expired
    lasting.expiresAt = Instant(1_900_000_000)
    func heading(_ made: MadeCertificate) throws -> String {
      let text = String(decoding: try made.payload(), as: UTF8.self)
      return anna.get(try keep(text, label: "Mother")).heading
    }
    #expect(try heading(expired) == "Mother Expired 2 Nov 2021")
    #expect(try heading(lasting) == "Mother Not checked")
    try portal.write { _ = try expired.trusted.store(in: $0) }
    #expect(try heading(expired) == "Mother Expired 2 Nov 2021")
    #expect(try heading(lasting) == "Mother Valid")
    #expect(anna.get("/vaccination-qr").hasBadge("Valid until 17 Mar 2030"))
  }

  @Test func `another person's certificate is not found`() throws {
    let path = try keep("HC1:TEST", label: "Mother")
    let boris = try portal.register()
    for page in ["", "/show", "/image", "/thumbnail", "/qr.png", "/qr.svg", "/edit", "/clear"] {
      #expect(boris.get(path + page).status == 404)
    }
  }

  @Test func `image, code text and label of a certificate are not readable in the database`() throws
  {
    let path = try keep("HC1:NEVER-IN-PLAIN-TEXT", label: "Mother-in-law")
    let image = anna.getBytes("\(path)/image")
    let stored = try portal.storedBytes()
    #expect(!stored.isEmpty && !image.isEmpty)
    for secret in [
      Array("NEVER-IN-PLAIN-TEXT".utf8), Array("Mother-in-law".utf8), image.suffix(100),
    ] {
      #expect(stored.firstRange(of: secret) == nil)
    }
  }

  @Test func `the person's export contains the certificates and their images`() throws {
    _ = try keep("HC1:TEST", label: "Mother")
    let hidden = anna.get("/account/export").hidden(of: "/account/export")
    let copy = anna.postForBytes("/account/export", pairs: hidden)
    #expect(copy.firstRange(of: Array("vaccination-qr.json".utf8)) != nil)
    #expect(copy.firstRange(of: Array("certificates/1-page-1".utf8)) != nil)
  }

  @Test func `the module fulfils the module contract`() throws {
    // The table is the plain copy of the due dates, which the job of the reminders reads. The rows
    // are drawn anew from the exported pages and codes.
    let contract = ModuleContract(
      VaccinationQRModule(), workingTables: ["vaccination_qr_reminders"],
      workingRows: ["vaccination_qr_files": "name LIKE 'thumbnail-%' OR name LIKE 'grid-%'"]
    ) { anna in
      _ = try anna.upload(
        "/vaccination-qr/new", "image", picture(of: "HC1:TEST"), ["label": "Mother"])
      _ = try anna.submit(
        "/vaccination-qr/record/new",
        ["vaccine": "Flu", "date": "2026-05-01", "next_due": "2026-10-01", "remind": "yes"])
    }
    let broken = contract.broken()
    #expect(broken == [])
  }
}

/// A PNG of one white pixel.
private let onePixel: [UInt8] = Array(
  Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
  ) ?? Data())

/// Returns a PNG of a QR code.
func picture(of text: String) throws -> [UInt8] {
  let code = try DocumentDecoder.draw(Array(text.utf8))
  return try #require(code.drawing).picture.bytes
}
