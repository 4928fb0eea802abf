import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The module as a whole: catalogs, pages and export.
@Suite struct ModuleTests {
  @Test func `the catalogs of all languages have the same keys, forms and placeholders`() {
    #expect(ContactsModule().catalog.differences().isEmpty)
  }

  @Test(arguments: Language.allCases)
  func `each page has all texts of the module in each language`(_ language: Language) throws {
    let anna = try TestPortal(ContactsModule()).register(language: language)
    let path = try anna.add(
      "Vera", ["birthday": "1985-05-20", "method_type": "phone", "method_value": "123"])
    let pages = [
      "/contacts", "/contacts?q=nobody", "/contacts/new", path, path + "/edit", path + "/delete",
    ]
    for page in pages.map(anna.get) {
      #expect(page.status == 200)
      for missing in page.body.split(separator: "⟦").dropFirst() {
        let key = missing.prefix { $0 != "⟧" }
        #expect(
          !["list", "new", "edit", "show", "delete", "field", "type", "birthday"].contains {
            key.hasPrefix($0 + ".")
          }, "\(key)")
      }
    }
  }

  @Test func `the export contains all contacts, deleted ones with the date`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    _ = try anna.add(
      "Vera", ["birthday": "1985-05-20", "method_type": "email", "method_value": "v@example.org"])
    let path = try anna.add("Boris")
    _ = try anna.submit(path + "/delete", [:])
    let keys = try portal.keys(of: anna)
    let json = try portal.read { connection in
      try JSON.Writer.bytes { try ContactsModule().personalData.export(connection.with(keys), $0) }
    }
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"contacts":[{"id":1,"name":"Vera","methods":[{"type":"email","value":"v@example.org"}],\
        "birthday":"1985-05-20","workplace":"","address":"","notes":""},\
        {"id":2,"name":"Boris","methods":[],"birthday":null,"workplace":"","address":"","notes":"",\
        "deleted_on":"2026-05-04"}]}
        """)
  }

  @Test func `a disabled module has no pages, but its tables exist`() throws {
    let portal = try TestPortal(ContactsModule(), disabled: ["contacts"])
    let anna = try portal.register()
    #expect(anna.get("/contacts").status == 404)
    #expect(try portal.count("SELECT count(*) FROM contacts") == 0)
  }
}
