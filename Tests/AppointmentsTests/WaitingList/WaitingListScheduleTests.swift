import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct WaitingListScheduleTests {
  private func ticket(_ number: Int, joined: Int, called: Range<Int>? = nil) -> Ticket {
    Ticket(
      id: ID(Int64(number)), session: ID(1), person: ID(Int64(number)), number: number,
      joinedAt: .start(joined),
      treatment: called.map { .start($0.lowerBound)..<Instant.start($0.upperBound) })
  }

  private func waitingList(
    _ tickets: [Ticket], isOpen: Bool = true, freeAt: Int = 0, booked: [Range<Int>] = [],
    closesAt: Int = 1_440
  ) -> WaitingListSchedule {
    let booked = booked.map { Instant.start($0.lowerBound)..<Instant.start($0.upperBound) }
    return WaitingListSchedule(
      tickets, isOpen: isOpen, freeAt: .start(freeAt),
      calendar: .init(
        slot: .minutes(10), booked: booked, horizon: .start(1_440),
        closesAt: .start(closesAt)))
  }

  @Test func `a free doctor's first patient is treated at once, and the others wait`() throws {
    let waitingList = waitingList([
      ticket(1, joined: 3), ticket(2, joined: 3), ticket(3, joined: 5),
    ])
    #expect(waitingList.treated(at: .start(3))?.ticket.number == 1)
    #expect(waitingList.waiting(at: .start(3)).map(\.ticket.number) == [2, 3])
    #expect(waitingList.treated(at: .start(13))?.ticket.number == 2)
    let last = try #require(waitingList.places.last)
    #expect(waitingList.ahead(of: last, at: .start(5)) == 1)
    #expect(waitingList.ahead(of: last, at: .start(13)) == 0)
    #expect(last.treatment?.lowerBound == .start(23))
    #expect(waitingList.treated(at: .start(33)) == nil)
  }

  @Test func `calls stop at the end of the day, and the current treatment continues`() {
    let waitingList = waitingList(
      [ticket(1, joined: 3), ticket(2, joined: 3), ticket(3, joined: 5)], closesAt: 15)
    #expect(waitingList.places.map { $0.treatment?.lowerBound } == [.start(3), .start(13), nil])
    #expect(waitingList.isOpen(at: .start(14)) && !waitingList.isOpen(at: .start(15)))
    #expect(waitingList.waiting(at: .start(14)).map(\.ticket.number) == [3])
    #expect(waitingList.waiting(at: .start(15)).isEmpty)
    #expect(waitingList.treated(at: .start(20))?.ticket.number == 2)
    #expect(
      waitingList.call(joiningAt: .start(14)) == nil
        && waitingList.nextCall(after: .start(13)) == nil)
  }

  @Test func `no patient is called into a booked time`() {
    let waitingList = waitingList(
      [ticket(1, joined: 3), ticket(2, joined: 4)], booked: [10..<20, 25..<40])
    #expect(waitingList.places.map { $0.treatment?.lowerBound } == [.start(40), .start(50)])
    #expect(!waitingList.isFree(at: .start(3)))
  }

  @Test func `a slot that just fits before a booked time is used`() {
    let waitingList = waitingList(
      [ticket(1, joined: 0), ticket(2, joined: 1)], booked: [10..<20, 30..<40])
    #expect(waitingList.places.map { $0.treatment?.lowerBound } == [.start(0), .start(20)])
  }

  @Test func `a doctor with an empty list is free unless a booking begins within a slot`() {
    let waitingList = waitingList([], booked: [10..<20])
    #expect(waitingList.isFree(at: .start(0)))
    #expect(waitingList.call(joiningAt: .start(1)) == .start(20))
    #expect(!waitingList.isFree(at: .start(15)))
    #expect(waitingList.isFree(at: .start(20)))
  }

  @Test func `a closed list calls no patient, and the current treatment continues`() {
    let waitingList = waitingList(
      [ticket(1, joined: 0, called: 0..<10), ticket(2, joined: 1)], isOpen: false, freeAt: 10)
    #expect(waitingList.treated(at: .start(5))?.ticket.number == 1)
    #expect(waitingList.treated(at: .start(10)) == nil)
    #expect(waitingList.waiting(at: .start(5)).isEmpty)
    #expect(waitingList.call(joiningAt: .start(5)) == nil)
    #expect(waitingList.unstored(at: .start(60)).isEmpty)
  }

  @Test func `no patient is called before the doctor is free`() {
    let waitingList = waitingList([ticket(1, joined: 0)], freeAt: 7)
    #expect(waitingList.places[0].treatment?.lowerBound == .start(7))
    #expect(waitingList.nextCall(after: .start(6)) == .start(7))
    #expect(waitingList.nextCall(after: .start(7)) == nil)
  }

  @Test func `a call after the last known bookings has no expected time`() {
    let waitingList = waitingList(
      [ticket(1, joined: 0), ticket(2, joined: 0)], booked: [5..<1_425])
    #expect(waitingList.places.map { $0.treatment?.lowerBound } == [.start(1_425), nil])
    #expect(waitingList.waiting(at: .start(1_430)).map(\.ticket.number) == [2])
    #expect(waitingList.call(joiningAt: .start(1)) == nil)
  }
}
