import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The time for which a doctor may open the data of a patient from the waiting list.
@Suite struct PatientRelationsTests {
  private let town: Town
  private let patient: ID<Person>

  init() throws {
    town = try Town()
    patient = try town.portal.person(of: town.portal.register())
    try town.open()
    try town.join(patient, at: .start(0))
  }

  private func isAllowed(_ reason: AccessReason, at now: Instant) throws -> Bool {
    try allowed([patient], for: reason, at: now) == [patient]
  }

  /// Returns those people whose data the doctor may open.
  private func allowed(
    _ people: Set<ID<Person>>, for reason: AccessReason, at now: Instant
  ) throws -> Set<ID<Person>> {
    let doctor = Visitor(
      person: try town.portal.person(of: town.doctorVisitor), name: "Dr. House",
      roles: [.patient, .doctor])
    return try town.portal.database.read {
      let work = Work(visitor: doctor, at: now, on: $0)
      return try PatientRelations().allowed(people, for: reason, in: work)
    }
  }

  @Test func `the doctor has access from the joining until 30 days after the treatment`() throws {
    #expect(try isAllowed(.care, at: .start(1)))
    try town.finishAndCall(at: .start(8))
    #expect(try isAllowed(.care, at: .start(11)))
    #expect(try isAllowed(.care, at: .start(8) + .days(29)))
    #expect(try !isAllowed(.care, at: .start(8) + .days(31)))
    #expect(try !isAllowed(.administration, at: .start(11)))
  }

  @Test func `the doctor's access ends when a patient who declines the call is taken off the list`()
    throws
  {
    #expect(try town.waitingList(at: .start(4)).treated(at: .start(4))?.ticket.person == patient)
    try town.endDeclined(patient, at: .start(4))
    #expect(try !isAllowed(.care, at: .start(4)))
  }

  @Test func `the doctor's access ends when a patient leaves before the call`() throws {
    let other = try town.portal.person(of: town.portal.register())
    try town.join(other, at: .start(1))
    try town.leave(other, at: .start(2))
    #expect(try allowed([other, patient], for: .care, at: .start(2)) == [patient])
  }

  @Test func `a patient who has left keeps the doctor's access through an earlier treatment`()
    throws
  {
    try town.finishAndCall(at: .start(8))
    try town.join(patient, at: .start(11))
    try town.endDeclined(patient, at: .start(12))
    #expect(try isAllowed(.care, at: .start(13)))
  }
}
