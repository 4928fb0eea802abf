import PolyclinicTestSupport
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct AntiForgeryTests {
  let forms: AntiForgery
  let anna = AntiForgery.Recipient.session(Token.random().hash)

  init() throws {
    forms = AntiForgery(try Vault.establish(ring: .test(), on: FakeTables().connection))
  }

  @Test func `a form token is accepted only from its session or visitor`() {
    let visitor = Token.random()
    let token = forms.token(for: anna)
    #expect(forms.accepts(token, from: anna))
    #expect(!forms.accepts(token, from: .session(Token.random().hash)))
    #expect(!forms.accepts(token, from: .visitor(visitor)))
    #expect(forms.accepts(forms.token(for: .visitor(visitor)), from: .visitor(visitor)))
    #expect(!forms.accepts(forms.token(for: .visitor(visitor)), from: .visitor(.random())))
  }

  @Test func `a visitor's form token is refused from a session with the same value`() {
    let token = Token.random()
    let form = forms.token(for: .visitor(token))
    #expect(!forms.accepts(form, from: .session(token.hash)))
  }

  @Test func `two form tokens for the same session differ`() {
    #expect(forms.token(for: anna) != forms.token(for: anna))
  }

  @Test func `a form token with a changed or lost byte is refused`() throws {
    let token = Array(forms.token(for: anna).utf8)
    for damaged in token.damaged {
      #expect(!forms.accepts(String(decoding: damaged, as: UTF8.self), from: anna))
    }
    #expect(!forms.accepts("", from: anna))
    #expect(!forms.accepts(Base64.url.text([UInt8](repeating: 0, count: 64)), from: anna))
  }

  @Test func `a form token of another installation is refused`() throws {
    let others = AntiForgery(try Vault.establish(ring: .test(), on: FakeTables().connection))
    #expect(!forms.accepts(others.token(for: anna), from: anna))
  }
}

@Suite struct AntiForgerySiteTests {
  let site = SiteCheck(origin: "https://Clinic.example:443")

  @Test(
    arguments: [
      (nil, nil), ("same-origin", nil), ("none", nil), (nil, "https://clinic.example"),
      ("same-origin", "https://clinic.example"), ("same-origin", "https://clinic.example:443"),
      (nil, "HTTPS://CLINIC.EXAMPLE"),
    ] as [(String?, String?)])
  func `a POST from the portal's own pages or without headers is allowed`(
    fetchSite: String?, origin: String?
  ) {
    #expect(site.allows(method: "POST", fetchSite: fetchSite, origin: origin))
  }

  @Test(
    arguments: [
      ("cross-site", nil), ("same-site", nil), ("same-site", "https://clinic.example"), ("", nil),
      ("Same-Origin?", nil), (nil, "null"), (nil, ""), ("same-origin", "null"),
      (nil, "http://clinic.example"), (nil, "https://clinic.example:8443"),
      (nil, "https://evil.clinic.example"), (nil, "https://clinic.example.evil"),
      (nil, "https://clinic.example/"), ("same-origin", "https://evil.example"),
    ] as [(String?, String?)])
  func `a request from another origin is refused, even from the same site`(
    fetchSite: String?, origin: String?
  ) {
    #expect(!site.allows(method: "POST", fetchSite: fetchSite, origin: origin))
    #expect(!site.allows(method: "DELETE", fetchSite: fetchSite, origin: origin))
  }

  @Test func `a GET or HEAD request from another site is allowed`() {
    #expect(site.allows(method: "GET", fetchSite: "cross-site", origin: "null"))
    #expect(site.allows(method: "HEAD", fetchSite: "cross-site", origin: nil))
  }
}
