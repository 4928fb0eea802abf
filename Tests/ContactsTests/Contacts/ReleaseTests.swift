import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Preservation of fields stored by another release.
@Suite struct ReleaseTests {
  /// A contact with a field of a later release, also in its methods.
  private struct LaterContact: Resealable {
    var name = ""
    var pronoun = ""
    var methods: [LaterMethod] = []
    var unknown = Sealed.UnknownFields()
  }

  private struct LaterMethod: Resealable {
    var value = ""
    var purpose = ""
    var unknown = Sealed.UnknownFields()
  }

  private static let sealed = SealedColumn(
    "contacts.sealed",
    Form(
      LaterContact(), .text(\.name, "name"), .text(\.pronoun, "pronoun"),
      .rows(
        \.methods, "method", limit: 50,
        of: Form(LaterMethod(), .text(\.value, "value"), .text(\.purpose, "purpose")))))

  @Test func `an edit keeps the fields of a later release`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let path = try anna.add("Vera")
    try store([LaterMethod(value: "111", purpose: "work")], in: portal, of: anna)
    let answer = anna.post(
      path + "/edit",
      pairs: Self.tokens(of: anna.get(path + "/edit"), path) + [("name", "Vera Green")]
        + Self.rows([("", "new"), ("0", "222")]))
    #expect(answer.status == 303)
    let contact = try stored(in: portal, of: anna)
    #expect(contact.name == "Vera Green" && contact.pronoun == "she")
    #expect(contact.methods.map(\.value) == ["new", "222"])
    #expect(contact.methods.map(\.purpose) == ["", "work"])
  }

  @Test func `after a conflict the fields of a later release stay with their row`() throws {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    let path = try anna.add("Vera")
    let methods = [
      LaterMethod(value: "111", purpose: "work"), LaterMethod(value: "222", purpose: "home"),
    ]
    try store(methods, in: portal, of: anna)
    let old = Self.tokens(of: anna.get(path + "/edit"), path)
    let new = Self.tokens(of: anna.get(path + "/edit"), path)
    let first = anna.post(
      path + "/edit", pairs: new + [("name", "Vera")] + Self.rows([("1", "222")]))
    #expect(first.status == 303)
    let late = anna.post(
      path + "/edit", pairs: old + [("name", "Vera")] + Self.rows([("0", "111"), ("1", "222")]))
    #expect(late.status == 409)
    let origins = late.hidden(of: path + "/edit").filter { $0.0 == "method_row" }.map(\.1)
    #expect(origins.dropLast() == ["", "0"], "the last one is the template's")
    let again = anna.post(
      path + "/edit",
      pairs: Self.tokens(of: late, path) + [("name", "Vera")]
        + Self.rows([("", "111"), ("0", "222")]))
    #expect(again.status == 303)
    #expect(try stored(in: portal, of: anna).methods.map(\.purpose) == ["", "home"])
  }

  /// Returns the hidden fields of the form that are not values of the contact.
  private static func tokens(of page: TestPage, _ path: String) -> [(String, String)] {
    page.hidden(of: path + "/edit").filter {
      ["csrf", "person", "once", "version"].contains($0.0)
    }
  }

  /// Returns rows as a browser sends them, each with its origin and value.
  private static func rows(_ rows: [(origin: String, value: String)]) -> [(String, String)] {
    rows.flatMap {
      [("method_row", $0.origin), ("method_type", "phone"), ("method_value", $0.value)]
    }
  }

  private func store(
    _ methods: [LaterMethod], in portal: TestPortal, of visitor: TestVisitor
  ) throws {
    let keys = try portal.keys(of: visitor)
    let contact = LaterContact(name: "Vera", pronoun: "she", methods: methods)
    let sealed = try Self.sealed.seal(contact, row: ID<Contact>(1), by: keys)
    try portal.database.write { connection in
      try connection.run("UPDATE contacts SET sealed = \(sealed)")
    }
  }

  private func stored(in portal: TestPortal, of visitor: TestVisitor) throws -> LaterContact {
    let keys = try portal.keys(of: visitor)
    let contact = try portal.database.read { connection in
      try connection.row("SELECT sealed FROM contacts") {
        try Self.sealed.open($0.sealed(0), row: ID<Contact>(1), by: keys)
      }
    }
    return try #require(contact)
  }
}
