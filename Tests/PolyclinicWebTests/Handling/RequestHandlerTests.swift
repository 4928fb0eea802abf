import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@Suite struct RequestHandlerTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(NotesModule())
    anna = try portal.register(login: "anna")
  }

  @Test(arguments: [
    "/nothing", "//", "///", "//login", "/login//", "/notes//new", "/notes/%31", "/notes/1%2fedit",
    "/%6Eotes", "/notes/../admin", "/./login", "/notes/x", "/notes/-1", "/notes/01", "/notes/1e3",
    "/notes/99999999999999999999", "/LOGIN", "/notes/\u{202E}", "/admin/people/..", "/.env",
    "http://clinic.example/login",
  ])
  func `an unknown path is answered with a 403 or 404 page`(_ path: String) {
    let page = anna.get(path)
    #expect([403, 404].contains(page.status))
    #expect(page.contains("<!DOCTYPE html>") && !page.contains("class=\"reference\""))
  }

  @Test func `a trailing slash is redirected with 308, keeping the query`() {
    let page = anna.get("/notes/?q=x")
    #expect(page.status == 308 && page.location == "/notes?q=x")
    #expect(anna.get("/account/").location == "/account")
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "BREW", "", "TRACE", "get"])
  func `an unsupported method is refused with 405 and an Allow header`(_ method: String) {
    let page = anna.send(method, "/notes")
    #expect(page.status == 405 && page.header("Allow") == "GET, HEAD")
    #expect(page.contains("Petrova"))
  }

  @Test func `the Allow header is GET, POST, HEAD for a form and POST for a button`() {
    #expect(anna.send("DELETE", "/notes/new").header("Allow") == "GET, POST, HEAD")
    #expect(anna.get("/notes/touch").header("Allow") == "POST")
    #expect(anna.send("BREW", "/nothing").status == 404)
  }

  @Test func `HEAD is answered with the status and content type of GET`() {
    let head = anna.send("HEAD", "/notes")
    #expect(head.status == 200 && head.header("Content-Type") == "text/html; charset=utf-8")
  }

  @Test(arguments: ["a=%", "a=%FF", "a=%zz"])
  func `malformed percent-encoding in query or body is refused with 400`(_ text: String) {
    #expect(anna.get("/notes?\(text)").status == 400)
    #expect(anna.send("POST", "/notes/new", body: Array(text.utf8)).status == 400)
  }

  @Test func `a form with 1001 fields is refused with 400`() {
    let body = (1...1_001).map { "f\($0)=" }.joined(separator: "&")
    #expect(anna.send("POST", "/notes/new", body: Array(body.utf8)).status == 400)
  }

  @Test func `a body over 512 KiB is refused with 413`() {
    let body = [UInt8](repeating: UInt8(ascii: "a"), count: 512 * 1_024 + 1)
    #expect(anna.send("POST", "/notes/new", body: body).status == 413)
  }

  @Test func `a request target over 8000 bytes is refused with 414`() {
    #expect(anna.get("/" + String(repeating: "a", count: 8_000)).status == 414)
    #expect(anna.get("/" + String(repeating: "a", count: 7_999)).status == 404)
  }

  @Test(arguments: [
    "application/json", "multipart/form-data; boundary=x", "text/plain", "",
    "application/x-www-form-urlencodedx",
  ])
  func `another content type is refused with 415`(_ type: String) {
    let page = anna.send("POST", "/notes/new", body: [], headers: ["Content-Type": type])
    #expect(page.status == 415)
  }

  @Test(arguments: [
    "application/x-www-form-urlencoded; charset=UTF-8", "APPLICATION/X-WWW-FORM-URLENCODED",
  ])
  func `the form content type is accepted in any case and with a charset`(_ type: String) {
    let page = anna.send("POST", "/notes/new", body: [], headers: ["Content-Type": type])
    #expect(page.status == 403)
  }

  @Test(arguments: ["evil.example", "clinic.example:8080", "", "clinic.example.evil", "[::1]"])
  func `a request for another host is refused with 421`(_ host: String) {
    #expect(anna.send("GET", "/", headers: ["Host": host]).status == 421)
  }

  @Test(arguments: [
    ["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"], ["Origin": "null"],
    ["Sec-Fetch-Site": "same-site", "Origin": "https://other.clinic.example"],
  ])
  func `a form from another origin is refused with 403 despite a valid token`(
    _ headers: [String: String]
  ) throws {
    for (name, value) in headers { anna.headers[name] = value }
    let form = [("topic", "x"), ("secret", "s")]
    let page = anna.post("/notes/new", pairs: anna.form("/notes/new", form))
    #expect(page.status == 403)
    #expect(try portal.notes().isEmpty)
  }

  @Test func `a module's refusal is answered with 409 and the module's text`() {
    let page = anna.get("/notes/refuses")
    #expect(page.status == 409 && page.contains("The desk is taken"))
    #expect(!page.contains("class=\"reference\""))
  }

  @Test func `a refusal of too many requests is answered with 429 and Retry-After`() {
    let page = anna.get("/notes/waits")
    #expect(page.status == 429 && page.header("Retry-After") == "7")
  }

  @Test func `an unexpected error shows a reference number and not its text`() {
    let page = anna.get("/notes/fails")
    #expect(page.status == 500 && page.contains("0123456789abcdef"))
    #expect(!page.contains("somebody typed") && !page.contains("Mishap"))
  }

  @Test func `a signed-out GET redirects to sign-in without query, a POST gets 401`() {
    let page = portal.visitor().get("/notes?q=secret")
    #expect(page.status == 303 && page.location == "/login?next=%2Fnotes")
    #expect(portal.visitor().send("POST", "/notes/new").status == 401)
  }
}
