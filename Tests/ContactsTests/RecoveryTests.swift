import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

/// Recovery of contacts from another state of a person's data.
@Suite struct RecoveryTests {
  private let portal: TestPortal
  private let then: Keys
  private let now: Keys

  /// Registers two people who represent one person at two times.
  init() throws {
    portal = try TestPortal(ContactsModule())
    let (former, present) = (try portal.register(), try portal.register())
    let card = vCard(["UID:vera", "FN:Vera", "TEL:111", "TITLE:Dr."])
    try portal.take(card, of: former)
    then = try portal.keys(of: former)
    now = try portal.keys(of: present)
  }

  private func recover() throws -> Recovery.Count? {
    try portal.write { connection in
      try ContactsModule().recoveries.first?.run(
        connection.with(then),
        connection.with(now), .store)
    }
  }

  private func contacts(by keys: Keys) throws -> [Contact] {
    var found: [Contact] = []
    try portal.read { connection in
      try Contact.records.forEach(in: connection.with(keys)) { found.append($1) }
    }
    return found
  }

  @Test func `a contact is recovered once, with its ways and its card`() throws {
    #expect(try recover()?.returning == 1)
    #expect(try contacts(by: now) == contacts(by: then))
    #expect(try contacts(by: now).first?.card.extras.contains("TITLE:Dr.") == true)
    #expect(try portal.problems() == [])
    #expect(try recover()?.returning == 0)
  }

  @Test func `a contact that differs only in its card is recovered`() throws {
    _ = try recover()
    try portal.write { connection in
      _ = try connection.run(
        """
        DELETE FROM contacts_cards WHERE id_contact IN
          (SELECT id_contact FROM contacts WHERE person = \(now.person))
        """)
    }
    #expect(try recover()?.changed == 1)
    #expect(try contacts(by: now).count == 2)
  }
}
