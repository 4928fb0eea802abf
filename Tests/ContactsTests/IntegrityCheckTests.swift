import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// The findings of `polyclinic check` after a change in the database.
@Suite struct IntegrityCheckTests {
  private let damage = [UInt8](repeating: 0, count: 40)

  private func damaged(_ statements: SQL...) throws -> [String] {
    let portal = try TestPortal(ContactsModule())
    let anna = try portal.register()
    _ = try anna.add("Vera")
    #expect(try portal.problems() == [])
    try portal.database.write { connection in
      for statement in statements { try connection.run(statement) }
    }
    return try portal.problems()
  }

  @Test func `a changed sealed value is reported once`() throws {
    #expect(try damaged("UPDATE contacts SET sealed = \(damage)").count == 1)
  }

  @Test func `a changed index is reported with the remedy`() throws {
    let problems = try damaged("DELETE FROM contacts_index")
    #expect(problems.count == 1)
    #expect(problems.first?.contains("--rebuild") == true)
  }

  @Test func `a changed key of a person is reported once`() throws {
    #expect(try damaged("UPDATE people SET wrapped_key = \(damage)").count == 1)
  }
}
