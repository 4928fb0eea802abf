import PolyclinicCore
import Testing

@testable import VaccinationQR

@Suite struct CodeTests {
  private func title(_ text: String) -> Text { Code(Array(text.utf8)).title }

  @Test(arguments: [
    "https://www.gosuslugi.ru/covid-cert/verify/9770000014233333?lang=ru&ck=733a9d218d312fe134f1c2cc06e1a800",
    "https://gosuslugi.ru/covid-cert/status/8f0d6d9c-0000-0000-0000-000000000000",
    "HTTPS://WWW.GOSUSLUGI.RU/x",
    "https://госуслуги.рф/x",
  ])
  func `a link to Gosuslugi is named`(link: String) {
    #expect(title(link) == "code.link.gosuslugi")
  }

  @Test func `a link to mos.ru is named`() {
    #expect(title("https://immune.mos.ru/qr?id=0000") == "code.link.mos")
  }

  @Test(arguments: [
    ("https://gosuslugi.ru.example.com/x", "gosuslugi.ru.example.com"),
    ("https://notgosuslugi.ru/x", "notgosuslugi.ru"),
    ("https://example.com:8443/mos.ru", "example.com"),
    ("http://example.com?x=@gosuslugi.ru", "example.com"),
  ])
  func `a link to another host is named by its host`(link: String, host: String) {
    #expect(title(link) == Text("code.link.other", ["host": host]))
  }

  @Test(arguments: [
    "https://gosuslugi.ru@example.com/", "https://gosuslugi.ru:x@example.com/", "https://",
    "ftp://mos.ru",
    "https://gosuslugi.ru\\@example.com/", "https://mos.ru/ a", "hello", "", "HC", "shc:", "{}",
    "#{",
  ])
  func `text that is neither a plain link nor a known code is shown as text`(text: String) {
    #expect(title(text) == "code.kind.text")
  }

  @Test(arguments: [
    ("NZCP:/1/2KCEVIQEIVVWK6", "nzcp"), ("HC2:6BFOXN", "hc"), ("shlink:/eyJ1", "shlink"),
    ("CH1:NCFOXN", "ch"), ("NL2:6BFOXN", "nl"), ("DC04DHI20MG71E981E98B201", "2d-doc"),
    ("PK\u{3}\u{4}....", "divoc"), (#"{"data":{"hdr":{},"msg":{}},"sig":{}}"#, "vds"),
  ])
  func `another certificate format is named`(text: String, name: String) {
    #expect(title(text) == Text("code.other.\(name)"))
  }

  @Test func `a part of a SMART Health Card is named, and an invalid part unreadable`() {
    let part = Text("code.kind.shc-part", ["number": "1", "total": "3"])
    #expect(title("shc:/1/3/5676") == part)
    for text in ["shc:/0/3/56", "shc:/4/3/56", "shc:/1/1/56", "shc:/1/100/56", "shc:/a/3/56"] {
      #expect(Code(Array(text.utf8)).kind == "unreadable-shc")
    }
  }

  @Test func `bytes that are not UTF-8 become text with replacement characters`() {
    guard case .plainText(let text) = Code([0xFF, 0xFE, 0x41]) else {
      Issue.record("it is another kind")
      return
    }
    #expect(text == "\u{FFFD}\u{FFFD}A")
  }

  @Test func `the texts for codes and trust exist in every language`() throws {
    let words = try Phrasebook(VaccinationQRModule().catalog)
    var texts = CodeFault.allCases.map(\.text)
    texts += Code.Format.allCases.flatMap {
      [Text("code.kind.\($0.rawValue)"), Text("code.kind.unreadable-\($0.rawValue)")]
    }
    texts += OtherFormat.allCases.map { Text("code.other.\($0.rawValue)") }
    texts += WebLink.Service.allCases.map { Text("code.link.\($0.rawValue)") }
    texts += Verification.Signer.allCases.map { Text("trust.signer.\($0.rawValue)") }
    texts += Verification.Revocation.allCases.map { Text("trust.revocation.\($0.rawValue)") }
    for text in texts {
      for language in Language.allCases {
        #expect(words.contains(text.key, in: language), "\(text.key) in \(language)")
      }
    }
    #expect(VaccinationQRModule().catalog.differences() == [])
  }
}
