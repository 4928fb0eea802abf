import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Bad input, and what it gets.
@Suite struct HostileTests {
  private static let tooLong = [
    ("name", 201), ("workplace", 201), ("address", 501), ("notes", 5_001), ("method_value", 201),
  ]

  @Test func `an empty form is refused at its name`() throws {
    let page = try TestPortal(ContactsModule()).register().submit("/contacts/new", ["name": " "])
    #expect(page.status == 422)
    #expect(page.contains("id=\"name-error\"") && page.contains("aria-describedby=\"name-error\""))
    #expect(page.contains("aria-invalid=\"true\"") && page.contains("role=\"alert\""))
    #expect(page.contains("href=\"#name\""))
  }

  @Test(arguments: tooLong)
  func `what is too long is refused at its field`(_ field: String, _ length: Int) throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let fields = ["name": "Vera", "method_type": "phone", "method_value": "1"]
    let long = String(repeating: "é", count: length)
    let page = try anna.submit("/contacts/new", fields.merging([field: long]) { $1 })
    let id = field == "method_value" ? "method_value-1" : field
    #expect(page.status == 422 && page.contains("id=\"\(id)-error\""))
    #expect(page.contains(long))
    let fitting = fields.merging([field: String(long.dropLast())]) { $1 }
    #expect(try anna.submit("/contacts/new", fitting).status == 303)
  }

  @Test(arguments: ["2023-02-29", "23.11.1985", "0000-01-01", "2023-13-01", "yesterday"])
  func `a day that does not exist is refused`(_ day: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit("/contacts/new", ["name": "Vera", "birthday": day])
    #expect(page.status == 422 && page.contains("id=\"birthday-error\""))
    #expect(page.contains("value=\"\(day)\""))
  }

  @Test(arguments: ["a\u{0}b", "a\u{202E}b", "a\u{2066}b", "a\u{1B}[31m"], ["name", "notes"])
  func `invisible controls are refused`(_ text: String, _ field: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit("/contacts/new", ["name": "Vera"].merging([field: text]) { $1 })
    #expect(page.status == 422 && page.contains("id=\"\(field)-error\""))
  }

  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("'; DROP TABLE contacts;--", "&#39;; DROP TABLE contacts;--"),
    ("\" onmouseover=\"x", "&quot; onmouseover=&quot;x"),
    ("</textarea><b>", "&lt;/textarea&gt;&lt;b&gt;"),
    ("${7*7} {{7*7}} %s", "${7*7} {{7*7}} %s"), ("👨‍👩‍👧 Ω", "👨‍👩‍👧 Ω"),
  ])
  func `markup and statements are stored and shown harmlessly`(
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

  @Test func `fifty ways of reaching somebody are taken, one more is not`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let rows = (0..<51).flatMap { [("method_type", "phone"), ("method_value", "100\($0)")] }
    let refused = try anna.submit("/contacts/new", pairs: [("name", "Vera")] + rows)
    #expect(refused.status == 422 && refused.contains("id=\"method-error\""))
    #expect(refused.contains("aria-describedby=\"method-error\""))
    #expect(refused.contains("value=\"10050\""))
    let taken = try anna.submit("/contacts/new", pairs: [("name", "Vera")] + rows.dropLast(2))
    #expect(taken.status == 303 && anna.get(taken.location).contains("tel:10049"))
  }

  @Test func `an error in the second row is told there`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let page = try anna.submit(
      "/contacts/new",
      pairs: [
        ("name", "Vera"), ("method_type", "phone"), ("method_value", "1"),
        ("method_type", "pigeon"), ("method_value", "2"),
      ])
    #expect(page.status == 422 && page.contains("id=\"method_type-2-error\""))
  }

  @Test func `ragged rows and repeated fields are not understood`() throws {
    let anna = try TestPortal(ContactsModule()).register()
    let ragged = [
      ("name", "Vera"), ("method_type", "phone"), ("method_value", "1"), ("method_value", "2"),
    ]
    #expect(try anna.submit("/contacts/new", pairs: ragged).status == 400)
    let repeated = [("name", "Vera"), ("name", "Boris")]
    #expect(try anna.submit("/contacts/new", pairs: repeated).status == 400)
  }

  @Test(arguments: ["0", "-1", "01", "9223372036854775807", "9223372036854775808", "x", "1.5"])
  func `an id that is none is not found`(_ id: String) throws {
    let anna = try TestPortal(ContactsModule()).register()
    _ = try anna.add("Vera")
    for page in ["", "/edit", "/delete"] {
      #expect(anna.get("/contacts/\(id)\(page)").status == 404)
    }
  }
}
