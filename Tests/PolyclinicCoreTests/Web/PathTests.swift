import Testing

@testable import PolyclinicCore

@Suite struct PathTests {
  @Test(arguments: [("a%20b", "a b"), ("%D0%AF+1", "Я+1"), ("%+F", nil), ("%2", nil), ("%FF", nil)])
  func `percent escapes are decoded, and malformed ones refused`(
    _ text: String, _ plain: String?
  ) {
    #expect(percentDecoded(text) == plain)
  }

  @Test(arguments: ["/", "/contacts/7", "/a?b=c&d=%D0%B6", "/a//b", "/:8080", "/~x"])
  func `a local path from a browser is accepted`(_ text: String) {
    #expect(Path(local: text)?.description == text)
  }

  @Test(arguments: [
    "", "contacts", "//evil", "///evil", "/\\evil", "\\\\evil", "/a\\b", "https://evil", "//",
    "javascript:alert(1)", " /a", "/a b", "/a\tb", "/a\nb", "/a\r\nSet-Cookie: x", "/\0", "/\u{7F}",
    "/é", "/\u{202E}", "data:text/html,x", "\u{FEFF}/a", "/" + String(repeating: "a", count: 2_000),
  ])
  func `a path that is not local, or malformed, is refused`(_ text: String) {
    #expect(Path(local: text) == nil)
  }

  @Test(arguments: [
    ("a/b", "%2F"), ("..", ".."), ("a?b#c", "%3F"), ("é", "%C3%A9"), ("\0", "%00"),
    ("%2f", "%252f"),
  ])
  func `an interpolated text is a single path segment`(_ segment: String, _ part: String) {
    let path: Path = "/contacts/\(segment)/edit"
    #expect(path.description.contains(part))
    #expect(path.description.filter { $0 == "/" }.count == 3)
    #expect(!path.description.contains("?") && !path.description.contains("#"))
  }

  @Test func `a relative path is resolved within its module`() {
    #expect(Path("").resolved(in: "contacts").description == "/contacts")
    #expect(Path("new").resolved(in: "contacts").description == "/contacts/new")
    #expect(Path("?page=2").resolved(in: "contacts").description == "/contacts?page=2")
    #expect(Path("/login").resolved(in: "contacts").description == "/login")
  }

  @Test func `a pattern is filled with values, each a single segment`() {
    let path: Path = "{id}/parts/{part}"
    let filled = path.filled(with: ["id": "{part}", "part": "a/b"])
    #expect(filled.description == "%7Bpart%7D/parts/a%2Fb")
  }

  @Test func `a query continues the query that a path has`() {
    #expect(Path("/a").query(["x": "1"]).query(["y": "2"]).description == "/a?x=1&y=2")
  }

  @Test func `a query is percent-encoded`() {
    let path = Path("/a").query(["x": "1&y=2", "é": "=\n"])
    #expect(path.description == "/a?x=1%26y%3D2&%C3%A9=%3D%0A")
  }

  @Test(arguments: [
    ("https://example.org/a", "https://example.org/a"), ("HTTP://x", "HTTP://x"),
    ("example.org", "https://example.org"), ("t.me/anna", "https://t.me/anna"),
  ])
  func `a web address becomes an outside link`(_ typed: String, _ address: String) {
    #expect(OutsideLink.web(typed)?.description == address)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", "javascript:alert.call()", "data:text/html,x.y",
    "vbscript:x.y", "java\nscript:x.y", "https://a b", "https://a\u{0}", "", "anna", "file:///etc",
    "https:\\\\evil.org",
  ])
  func `a script or malformed address becomes no link`(_ typed: String) {
    #expect(OutsideLink.web(typed) == nil)
  }

  @Test func `a web link has a host, and a telephone link none`() {
    #expect(OutsideLink.web("https://www.who.int/a?b#c")?.host == "www.who.int")
    #expect(OutsideLink.web("example.org")?.host == "example.org")
    #expect(OutsideLink.telephone("112")?.host == "")
  }

  @Test func `mail addresses become mailto links`() {
    #expect(OutsideLink.mail("anna@example.org")?.description == "mailto:anna@example.org")
    #expect(
      OutsideLink.mail("a?bcc=x&y@example.org")?.description
        == "mailto:a%3Fbcc%3Dx%26y@example.org")
    for text in ["", "anna", "@", "a@", "@b", "a@b@c"] { #expect(OutsideLink.mail(text) == nil) }
  }
}
