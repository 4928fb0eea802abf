import Foundation
import PolyclinicCore
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

  /// Keeps a picture of a code; returns the page of the certificate.
  private func keep(_ text: String, label: String = "") throws -> String {
    let answer = try anna.upload(
      "/vaccination-qr", "image", picture(of: text), ["label": label])
    #expect(answer.status == 303)
    return String(answer.location.prefix { $0 != "?" })
  }

  @Test func `before the first certificate the page says what can be kept`() {
    let page = anna.get("/vaccination-qr")
    #expect(page.status == 200)
    #expect(page.contains("Choose a certificate image"))
  }

  @Test func `a picture of a code is kept with the code drawn anew`() throws {
    let path = try keep("HC1:TEST", label: "Mother")
    let page = anna.get("\(path)?kept=yes")
    #expect(page.contains("Mother") && page.contains("was kept"))
    #expect(page.contains("<div class=\"qr\"><svg"))
    let drawn = try Picture(anna.getBytes("\(path)/qr.png"))
    let read = try DocumentDecoder.decode(drawn.bytes)
    #expect(read.pages.flatMap(\.codes).map(\.payload) == [Array("HC1:TEST".utf8)])
    #expect(anna.get("/vaccination-qr").contains("Mother"))
  }

  @Test func `a code is shown on the whole screen without the frame of the portal`() throws {
    let page = anna.get("\(try keep("HC1:TEST", label: "Mother"))/show")
    #expect(page.contains("<svg") && page.contains("Mother"))
    #expect(!page.contains("<header"))
  }

  @Test func `a picture without a code is kept, and the page says what helps`() throws {
    let answer = anna.upload("/vaccination-qr", "image", onePixel, ["label": "Mother"])
    #expect(answer.status == 303)
    let page = anna.get(answer.location)
    #expect(page.contains("No code was found") && page.contains("/image?number=1"))
    #expect(anna.get(answer.location.prefix { $0 != "?" } + "/show").contains("/image"))
  }

  @Test(arguments: [
    ("<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG"), ("\u{89}PNG\r\n", "not a PNG"),
    ("", "Choose a file"),
  ])
  func `what is no picture comes back with the reason, and the name that was typed`(
    content: String, reason: String
  ) throws {
    let answer = anna.upload(
      "/vaccination-qr", "image", Array(content.utf8), ["label": "Mother"])
    #expect(answer.status == 422)
    #expect(answer.contains(reason) && answer.contains("value=\"Mother\""))
  }

  @Test func `a file above the limit of the configuration is refused`() throws {
    let small = try TestPortal(VaccinationQRModule(), settings: ["max_bytes": .integer(100_000)])
    let answer = try small.register().upload(
      "/vaccination-qr", "image", [UInt8](repeating: 0, count: 100_001))
    #expect(answer.status == 422 && answer.contains("too large"))
  }

  @Test func `certificates stand in the order that their owner gives them`() throws {
    let paths = try ["Mother", "Father", "Child"].map { try keep($0, label: $0) }
    func order() -> [String] {
      let page = anna.get("/vaccination-qr").body
      return ["Mother", "Father", "Child"].sorted {
        (page.range(of: $0)?.lowerBound ?? page.endIndex)
          < (page.range(of: $1)?.lowerBound ?? page.endIndex)
      }
    }
    #expect(order() == ["Mother", "Father", "Child"])
    _ = anna.press("\(paths[2])/up", on: "/vaccination-qr")
    #expect(order() == ["Mother", "Child", "Father"])
    _ = anna.press("\(paths[1])/first", on: "/vaccination-qr")
    #expect(order() == ["Father", "Mother", "Child"])
    #expect(anna.get("/").contains("\(paths[1])/show"))
  }

  @Test func `what was cleared can be taken back with its pictures`() throws {
    let path = try keep("HC1:TEST", label: "Mother")
    let list = try anna.submit("\(path)/clear", [:])
    #expect(anna.get(path).status == 404 && anna.get("\(path)/image").status == 404)
    _ = anna.press("/account/deleted/restore", on: list.location)
    #expect(anna.get(path).contains("<div class=\"qr\"><svg"))
    #expect(try Picture(anna.getBytes("\(path)/image")).bytes.count > 100)
  }

  @Test func `a key that the administrator gives verifies what was kept before`() throws {
    let made = MadeCertificate()
    let path = try keep(String(decoding: made.payload(), as: UTF8.self))
    try portal.database.write { _ = try TrustTables.add(made.trusted, on: $0) }
    #expect(anna.get(path).contains("Signature right"))
  }

  @Test func `nobody else sees a certificate`() throws {
    let path = try keep("HC1:TEST", label: "Mother")
    let boris = try portal.register()
    for page in ["", "/show", "/image", "/thumbnail", "/qr.png", "/qr.svg", "/edit", "/clear"] {
      #expect(boris.get(path + page).status == 404)
    }
  }

  @Test func `neither the picture nor the text of the code stands in the database`() throws {
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

  @Test func `the person's copy has the text of each code and all pictures`() throws {
    _ = try keep("HC1:TEST", label: "Mother")
    let hidden = anna.get("/account/export").hidden(of: "/account/export")
    let copy = anna.postForBytes("/account/export", pairs: hidden)
    #expect(copy.firstRange(of: Array("vaccination-qr.json".utf8)) != nil)
    #expect(copy.firstRange(of: Array("certificates/1-page-1".utf8)) != nil)
  }

  @Test func `the module keeps its promises`() throws {
    let contract = ModuleContract(VaccinationQRModule()) { anna in
      _ = try anna.upload(
        "/vaccination-qr", "image", picture(of: "HC1:TEST"), ["label": "Mother"])
    }
    #expect(try contract.broken() == [])
  }
}

/// A PNG of one white pixel.
private let onePixel: [UInt8] = Array(
  Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
  ) ?? Data())

/// A PNG of a QR code.
func picture(of text: String) throws -> [UInt8] {
  let code = try DocumentDecoder.draw(Array(text.utf8))
  return try #require(code.drawing).picture.bytes
}
