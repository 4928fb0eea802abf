import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// A second patient in a portal with all modules, in which the first has stored records of every
/// kind.
@Suite struct SecondPersonTests {
  @Test func `a second person who presses everything reaches nothing of the first`() throws {
    let filled = try FilledPortal()
    let boris = try filled.portal.register()
    // A row of the claimed time has an hour of a doctor, also of several patients.
    var other = try SecondPerson(
      boris, reaching: filled.patient, whoTyped: FilledPortal.secret)
    other.sharedTables = ["appointments_claimed_blocks"]
    try other.tryEverything()
    #expect(other.broken == [])
  }
}
