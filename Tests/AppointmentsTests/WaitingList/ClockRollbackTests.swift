import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Waiting lists after the server's clock ran ahead.
@Suite struct ClockRollbackTests {
  @Test func `the waiting list continues after a clock that ran two hours ahead`() throws {
    let town = try Town()
    let people = try town.people(4)
    try town.open()
    try town.join(people[0], at: .start(0))
    try town.settle(at: .start(120))
    try town.join(people[1], at: .start(5))
    #expect(try town.waitingList(at: .start(5)).treated(at: .start(5))?.ticket.person == people[1])
    try town.join(people[2], at: .start(125))
    try town.join(people[3], at: .start(126))
    try town.settle(at: .start(6))
    let movedBack = try town.waitingList(at: .start(6))
    #expect(movedBack.treated(at: .start(6))?.ticket.person == people[2])
    #expect(movedBack.waiting(at: .start(6)).map(\.ticket.person) == [people[3]])
    #expect(try town.stored().allSatisfy { $0.joinedAt <= .start(6) })
    #expect(try town.stored().compactMap(\.calledAt) == [.start(0), .start(5), .start(6)])
    try town.finishAndCall(at: .start(7))
    #expect(try town.waitingList(at: .start(7)).treated(at: .start(7))?.ticket.person == people[3])
    try town.book(people[0], .start(120)..<Instant.start(130), at: .start(8))
    try town.close(at: .start(8))
    try town.open(at: .start(9))
    #expect(try town.waitingList(at: .start(9)).isOpen(at: .start(9)))
    let opened = try town.count("SELECT max(opened_at) FROM appointments_sessions")
    #expect(Instant(Int64(opened)) == .start(9))
  }

  @Test func `a list opened and closed by a clock a day ahead can be opened today`() throws {
    let town = try Town()
    let person = try #require(town.people(1).first)
    let tomorrow = Instant.start(24 * 60)
    try town.open(at: tomorrow)
    try town.join(person, at: tomorrow + .minutes(1))
    try town.close(at: tomorrow + .minutes(2))
    try town.open(at: .start(1))
    let waitingList = try town.waitingList(at: .start(1))
    #expect(
      waitingList.isOpen(at: .start(1))
        && waitingList.treated(at: .start(1))?.ticket.person == person)
    #expect(!waitingList.isOpen(at: .start(13 * 60)))
    try town.finishAndCall(at: .start(2))
    #expect(try town.waitingList(at: .start(2)).isFree(at: .start(2)))
  }

  @Test func `the job corrects times that a clock running ahead has stored`() throws {
    let town = try Town()
    let person = try town.portal.person(of: try town.portal.register())
    try town.open(at: .start(240))
    try town.join(person, at: .start(240))
    try town.portal.runJobs()
    #expect(try town.waitingList(at: .start(0)).treated(at: .start(0))?.ticket.person == person)
  }

  @Test func `a join with an earlier timestamp is stored with the time of the last join`() throws {
    let town = try Town()
    let people = try town.people(2)
    try town.open()
    try town.join(people[0], at: .start(1))
    try town.join(people[1], at: .start(0))
    #expect(try town.stored().map(\.joinedAt) == [.start(1), .start(1)])
  }
}
