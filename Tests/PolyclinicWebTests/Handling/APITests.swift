import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicWeb

@Suite struct APITests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let program: TestProgram
  private let path = "/api/v1/slips"

  init() throws {
    portal = try TestPortal(SlipsModule(), PapersModule())
    anna = try portal.register(login: "anna")
    program = TestProgram(portal, token: try anna.makeToken(["slips": "write", "papers": "write"]))
  }

  private func weight(_ written: String) throws -> (status: Int, weight: String?, errors: [String])
  {
    let answer = program.post(path, "{\"text\": \"x\", \"weight\": \(written)}")
    return (answer.status, try answer.json()["weight"]?.text, try answer.errors())
  }

  @Test(arguments: [
    ("72.5", "72.5"), ("\"72.5\"", "72.5"), ("\"72,5\"", "72.5"), ("\"٧٢٫٥\"", "72.5"),
    ("72", "72.0"),
    ("7.25e1", "72.5"), ("725E-1", "72.5"), ("\" 72,5 \"", "72.5"), ("0.5", "0.5"),
    ("650", "650.0"),
    ("72.500", "72.5"), ("\"७२.५\"", "72.5"),
  ]) func `a number is read from JSON numbers and localized strings`(
    _ written: String, _ weight: String
  ) throws {
    let answer = try self.weight(written)
    #expect(answer.status == 201 && answer.weight == weight)
  }

  @Test(arguments: [
    "1e309", "NaN", "Infinity", "-Infinity", "-5", "7000", "1e30", "1e-30", "0", "\"NaN\"",
    "\"1e309\"",
    "\"seventy\"", "\"1,234.5\"", "true", "[]", "{}", "\"7 2\"",
    "72.50000000000000000000000000000000000001",
  ]) func `an invalid number is refused with 422 and the field's name`(_ written: String) throws {
    let answer = try weight(written)
    #expect(answer.status == 422 && answer.errors == ["weight"])
  }

  @Test func `integer, boolean and date values are validated`() throws {
    let right = program.post(
      path, #"{"text": "x", "count": 7.0, "read": true, "day": "2026-05-04"}"#)
    #expect(right.status == 201)
    #expect(try right.json()["count"]?.text == "7" && right.json()["read"] == true)
    for (field, value) in [
      ("count", "7.5"), ("count", "10"), ("read", "\"yes\""), ("read", "1"),
      ("day", "\"2026-05-05\""),
      ("day", "\"yesterday\""), ("day", "20260504"),
    ] {
      let answer = program.post(path, "{\"text\": \"x\", \"\(field)\": \(value)}")
      #expect(answer.status == 422)
      #expect(try answer.errors() == [field])
    }
  }

  @Test func `an unsupported method gets 405 with Allow, and an unknown path 404`() {
    #expect(program.send("DELETE", path).status == 405)
    #expect(program.send("DELETE", path).header("Allow") == "GET, POST, HEAD")
    #expect(program.send("PATCH", "\(path)/1").header("Allow") == "GET, PUT, DELETE, HEAD")
    #expect(program.send("POST", "/api/v1/openapi.json", "{}").status == 405)
    for target in [
      "/api", "/api/v1", "/api/v1/nothing", "/api/v2/slips", "\(path)/1/2", "\(path)/",
    ] {
      let answer = program.get(target)
      #expect(answer.status == 404)
      #expect(answer.header("Content-Type") == "application/problem+json")
    }
    #expect(program.send("HEAD", path).status == 200)
  }

  @Test func `a body that is not JSON gets 415, and an oversized one 413`() {
    for type in ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
      #expect(program.send("POST", path, "{}", headers: ["Content-Type": type]).status == 415)
    }
    let typed = ["Content-Type": "application/json; charset=utf-8"]
    #expect(program.send("POST", path, "{\"text\": \"x\"}", headers: typed).status == 201)
    let long = "{\"text\": \"\(String(repeating: "x", count: RequestChecks.bodyLimit))\"}"
    #expect(program.post(path, long).status == 413)
  }

  @Test func `a browser session writes only with its anti-forgery token`() throws {
    let page = anna.get("/account")
    let token = try #require(page.hidden(of: "/logout").first { $0.0 == "csrf" }?.1)
    #expect(anna.get(path).status == 200)
    let json = ["Content-Type": "application/json"]
    func post(_ headers: [String: String]) -> TestPage {
      anna.send(
        "POST", path, body: Array("{\"text\": \"x\"}".utf8), headers: json.merging(headers) { $1 })
    }
    #expect(post([:]).status == 403)
    #expect(post(["X-CSRF-Token": "x"]).status == 403)
    #expect(post(["X-CSRF-Token": token, "Origin": "https://evil.example"]).status == 403)
    #expect(post(["X-CSRF-Token": token]).status == 201)
  }

  @Test func `a conflict is refused with 409 and a list of alternatives`() throws {
    let answer = program.post("/api/v1/papers/daily", "{\"text\": \"News\"}")
    #expect(answer.status == 409)
    #expect(try answer.json()["instead"]?[0]?.text == "News tomorrow")
    #expect(try answer.json()["detail"]?.text == "Choose one of the answers in the list")
  }

  @Test func `a deletion that keeps the record returns 200 with its ETag`() throws {
    let shown = program.get("/api/v1/papers/daily/1")
    #expect(try shown.json()["state"]?.text == "read")
    let deleted = program.delete("/api/v1/papers/daily/1", over: shown.tag)
    #expect(deleted.status == 200 && deleted.tag == shown.tag)
  }

  @Test func `an internal error returns 500 with the request ID and no error text`() throws {
    let answer = program.post(path, "{\"text\": \"broken\"}")
    #expect(answer.status == 500)
    #expect(try answer.json()["request"]?.text == "0123456789abcdef")
    #expect(!answer.contains("Unsealing"))
  }

  @Test func `a disabled module has no API paths`() throws {
    let portal = try TestPortal(SlipsModule(), disabled: ["slips"])
    let program = TestProgram(portal, token: "x")
    #expect(program.get(path).status == 404)
    #expect(!program.get("/api/v1/openapi.json").contains("slips"))
  }

  @Test func `two resources at the same path are an installation error`() {
    struct Twice: Module {
      let id: ModuleID = "twice"
      var title: Text { "title" }
      var catalog: Catalog { .titled("Twice") }
      var personalData: PersonalData { PersonalData { _, _ in } }
      var resources: [Resource] { PapersModule().resources + PapersModule().resources }
    }
    #expect(throws: InstallationError.self) { try TestPortal(Twice()) }
  }

  @Test func `the OpenAPI document follows the declared resources and fields`() throws {
    let answer = portal.visitor().get("/api/v1/openapi.json")
    #expect(answer.status == 200)
    let document = try answer.json()
    #expect(document["openapi"]?.text == "3.1.0")
    #expect(document["info"]?["version"]?.text == ProductVersion.current.number)
    #expect(document["paths"]?[path]?["post"]?["operationId"]?.text == "createSlip")
    #expect(document["paths"]?["/api/v1/papers/daily/{id}"]?["delete"] != nil)
    let draft = document["components"]?["schemas"]?["SlipDraft"]
    #expect(draft?["required"]?[0]?.text == "text" && draft?["additionalProperties"] == false)
    let properties = draft?["properties"]
    #expect(properties?["text"]?["maxLength"]?.text == "20")
    #expect(properties?["weight"]?["maximum"]?.text == "650")
    #expect(properties?["weight"]?["title"]?.text == "Weight")
    #expect(properties?["day"]?["format"]?.text == "date")
    #expect(properties?["read"]?["type"]?.text == "boolean")
  }
}
