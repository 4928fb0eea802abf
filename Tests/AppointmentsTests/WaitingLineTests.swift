import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct WaitingLineTests {
  private func ticket(_ number: Int, joined: Int, called: Range<Int>? = nil) -> Ticket {
    Ticket(
      id: ID(Int64(number)), desk: ID(1), person: ID(Int64(number)), number: number,
      joinedAt: .start(joined),
      treatment: called.map { .start($0.lowerBound)..<Instant.start($0.upperBound) })
  }

  private func line(
    _ tickets: [Ticket], isOpen: Bool = true, freeAt: Int = 0, booked: [Range<Int>] = [],
    closesAt: Int = 1_440
  ) -> WaitingLine {
    let booked = booked.map { Instant.start($0.lowerBound)..<Instant.start($0.upperBound) }
    return WaitingLine(
      tickets, isOpen: isOpen, freeAt: .start(freeAt),
      calendar: .init(
        slot: .minutes(10), booked: booked, horizon: .start(1_440),
        closesAt: .start(closesAt)))
  }

  @Test func `who comes to a free doctor is treated at once, the next ones wait`() throws {
    let line = line([ticket(1, joined: 3), ticket(2, joined: 3), ticket(3, joined: 5)])
    #expect(line.treated(at: .start(3))?.ticket.number == 1)
    #expect(line.waiting(at: .start(3)).map(\.ticket.number) == [2, 3])
    #expect(line.treated(at: .start(13))?.ticket.number == 2)
    let last = try #require(line.places.last)
    #expect(line.ahead(of: last, at: .start(5)) == 1)
    #expect(line.ahead(of: last, at: .start(13)) == 0)
    #expect(last.treatment?.lowerBound == .start(23))
    #expect(line.treated(at: .start(33)) == nil)
  }

  @Test func `nobody is called from the end of the day on, and who is treated stays`() {
    let line = line(
      [ticket(1, joined: 3), ticket(2, joined: 3), ticket(3, joined: 5)], closesAt: 15)
    #expect(line.places.map { $0.treatment?.lowerBound } == [.start(3), .start(13), nil])
    #expect(line.isOpen(at: .start(14)) && !line.isOpen(at: .start(15)))
    #expect(line.waiting(at: .start(14)).map(\.ticket.number) == [3])
    #expect(line.waiting(at: .start(15)).isEmpty)
    #expect(line.treated(at: .start(20))?.ticket.number == 2)
    #expect(line.call(joiningAt: .start(14)) == nil && line.nextCall(after: .start(13)) == nil)
  }

  @Test func `nobody is called into a booked time`() {
    let line = line([ticket(1, joined: 3), ticket(2, joined: 4)], booked: [10..<20, 25..<40])
    #expect(line.places.map { $0.treatment?.lowerBound } == [.start(40), .start(50)])
    #expect(!line.isFree(at: .start(3)))
  }

  @Test func `a slot that just fits before a booked time is used`() {
    let line = line([ticket(1, joined: 0), ticket(2, joined: 1)], booked: [10..<20, 30..<40])
    #expect(line.places.map { $0.treatment?.lowerBound } == [.start(0), .start(20)])
  }

  @Test func `a doctor with an empty line is free unless a booked time is too near`() {
    let line = line([], booked: [10..<20])
    #expect(line.isFree(at: .start(0)))
    #expect(line.call(joiningAt: .start(1)) == .start(20))
    #expect(!line.isFree(at: .start(15)))
    #expect(line.isFree(at: .start(20)))
  }

  @Test func `at a closed desk nobody is called, and who was called stays`() {
    let line = line(
      [ticket(1, joined: 0, called: 0..<10), ticket(2, joined: 1)], isOpen: false, freeAt: 10)
    #expect(line.treated(at: .start(5))?.ticket.number == 1)
    #expect(line.treated(at: .start(10)) == nil)
    #expect(line.waiting(at: .start(5)).isEmpty)
    #expect(line.call(joiningAt: .start(5)) == nil)
    #expect(line.unstored(at: .start(60)).isEmpty)
  }

  @Test func `nobody is called before all that is stored`() {
    let line = line([ticket(1, joined: 0)], freeAt: 7)
    #expect(line.places[0].treatment?.lowerBound == .start(7))
    #expect(line.nextCall(after: .start(6)) == .start(7))
    #expect(line.nextCall(after: .start(7)) == nil)
  }

  @Test func `what lies beyond the known bookings is not promised`() {
    let line = line([ticket(1, joined: 0), ticket(2, joined: 0)], booked: [5..<1_425])
    #expect(line.places.map { $0.treatment?.lowerBound } == [.start(1_425), nil])
    #expect(line.waiting(at: .start(1_430)).map(\.ticket.number) == [2])
    #expect(line.call(joiningAt: .start(1)) == nil)
  }
}
