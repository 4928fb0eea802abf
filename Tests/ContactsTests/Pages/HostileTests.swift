import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Invalid and hostile input.
@Suite struct HostileTests {
  private static let tooLong = [
    ("name", 201), ("workplace", 201), ("address", 501), ("notes", 5_001), ("method_value", 201),
  ]

  @Test func `a form without a name is refused at the name`() throws {
    let page = try TestPortal(ContactsModule()).register().submit("/contacts/new", ["name": " "])
    #expect(page.status == 422)
    #expect(page.hasError(of: "name") && page.contains("aria-describedby=\"name-error\""))
    #expect(page.contains("aria-invalid=\"true\"") && page.contains("role=\"alert\""))
    #expect(page.hasLink(to: "#name"))
  }

  @Test(arguments: tooLong)
  func `a value that is too long is refused at its field`(_ field: String, _ length: Int) throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let fields = ["name": "Vera", "method_type": "phone", "method_value": "1"]
    let long = String(repeating: "é", count: length)
    let page = try anna.submit("/contacts/new", fields.merging([field: long]) { $1 })
    let id = field == "method_value" ? "method_value-1" : field
    #expect(page.refuses(id))
    #expect(page.contains(long))
    let fitting = fields.merging([field: String(long.dropLast())]) { $1 }
    #expect(try anna.submit("/contacts/new", fitting).status == 303)
  }

  @Test(arguments: ["2023-02-29", "23.11.1985", "0000-01-01", "2023-13-01", "yesterday"])
  func `a day that does not exist is refused`(_ day: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit("/contacts/new", ["name": "Vera", "birthday": day])
    #expect(page.refuses("birthday"))
    #expect(page.hasValue(day))
  }

  @Test(arguments: ["a\u{0}b", "a\u{202E}b", "a\u{2066}b", "a\u{1B}[31m"], ["name", "notes"])
  func `invisible control characters are refused at their field`(_ text: String, _ field: String)
    throws
  {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit("/contacts/new", ["name": "Vera"].merging([field: text]) { $1 })
    #expect(page.refuses(field))
  }

  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("'; DROP TABLE contacts;--", "&#39;; DROP TABLE contacts;--"),
    ("\" onmouseover=\"x", "&quot; onmouseover=&quot;x"),
    ("</textarea><b>", "&lt;/textarea&gt;&lt;b&gt;"),
    ("${7*7} {{7*7}} %s", "${7*7} {{7*7}} %s"), ("👨‍👩‍👧 Ω", "👨‍👩‍👧 Ω"),
  ])
  func `markup and SQL are stored unchanged and shown escaped`(
    _ text: String, _ shown: String
  ) throws {
    let anna = try TestPortal(ContactsModule()).register()
    let path = try anna.add(
      text,
      [
        "workplace": text, "address": text, "notes": text, "method_type": "other",
        "method_value": text,
      ])
    for page in ["/contacts", path, path + "/edit", path + "/delete"].map(anna.get) {
      #expect(page.status == 200 && page.contains(shown))
      #expect(text == shown || !page.contains(text))
    }
  }

  @Test func `fifty ways are accepted and one more is refused`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let rows = (0..<51).flatMap { [("method_type", "phone"), ("method_value", "100\($0)")] }
    let refused = try anna.submit("/contacts/new", pairs: [("name", "Vera")] + rows)
    #expect(refused.refuses("method"))
    #expect(refused.contains("aria-describedby=\"method-error\""))
    #expect(refused.hasValue("10050"))
    let taken = try anna.submit("/contacts/new", pairs: [("name", "Vera")] + rows.dropLast(2))
    #expect(taken.status == 303 && anna.get(taken.location).contains("tel:10049"))
  }

  @Test func `an error in the second row is reported at that row`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "phone"), ("method_value", "1"),
        ("method_type", "pigeon"), ("method_value", "2"),
      ])
    #expect(page.refuses("method_type-2"))
  }

  @Test func `rows of unequal columns and repeated fields are refused with 400`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let ragged = [
      ("name", "Vera"), ("method_type", "phone"), ("method_value", "1"), ("method_value", "2"),
    ]
    #expect(try anna.submit("/contacts/new", pairs: ragged).status == 400)
    let repeated = [("name", "Vera"), ("name", "Boris")]
    #expect(try anna.submit("/contacts/new", pairs: repeated).status == 400)
  }

  @Test(arguments: ["0", "-1", "01", "9223372036854775807", "9223372036854775808", "x", "1.5"])
  func `an invalid id is answered with 404`(_ id: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera")
    for page in ["", "/edit", "/delete"] {
      #expect(anna.get("/contacts/\(id)\(page)").status == 404)
    }
  }
}
