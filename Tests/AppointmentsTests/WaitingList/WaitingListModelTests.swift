import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The waiting list on SQLite, compared with the reference model on random days.
@Suite struct WaitingListModelTests {
  /// Starts of an ordinary day and of days with a clock change in both directions.
  static let days: [(zone: String, start: Int64)] = [
    ("Europe/Minsk", 1_777_885_200),
    // 2026-03-29 01:00 and 2026-10-25 01:00 in Rome; Lord Howe changes its clocks by 30 minutes.
    ("Europe/Rome", 1_774_742_400), ("Europe/Rome", 1_792_882_800),
    ("Australia/Lord_Howe", 1_775_311_200),
  ]

  @Test(arguments: days.indices)
  func `the waiting list agrees with the reference model on random days`(_ day: Int) throws {
    for seed in 1...4 {
      try Run(day: Self.days[day], seed: UInt64(seed * 100 + day)).check()
    }
  }

  /// One random day.
  private final class Run {
    private let town: Town
    private let people: [ID<Person>]
    private var random: SplitMix64
    private var slow: WaitingListModel
    private var bookings: [(id: ID<Appointment>, span: Range<Instant>)] = []
    private var now: Instant
    private let slot: Seconds

    init(day: (zone: String, start: Int64), seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      let minutes = [5, 10, 15, 25].randomElement(using: &random) ?? 10
      slot = .minutes(minutes)
      town = try Town(zone: day.zone, slotMinutes: minutes)
      people = try town.people(8)
      now = Instant(day.start)
      slow = WaitingListModel(slot: slot, in: try #require(Zone(day.zone)), at: now)
    }

    func check() throws {
      for _ in 0..<60 {
        let steps = Int64(Int.random(in: 0...20, using: &random))
        now = now + Seconds(steps * WaitingListModel.step.count)
        slow.advance(to: now)
        try compare()
        try change()
        try compare()
      }
      try foresee()
    }

    private func change() throws {
      let person = Int.random(in: people.indices, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        try agree(slow.join(person)) { try town.join(people[person], at: now) }
      case 9..<11:
        try agree(slow.leave(person)) { try town.leave(people[person], at: now) }
      case 11:
        try agree(slow.finish()) { try town.finish(at: now) }
      case 12:
        try agree(slow.finishAndCall()) { try town.finishAndCall(at: now) }
      case 13..<15: try book(for: people[person])
      case 15:
        guard let booked = bookings.popLast() else { return }
        slow.cancel(booked.span)
        try town.cancel(booked.id, at: now)
      case 16:
        slow.close()
        try town.close(at: now)
      case 17:
        guard let first = try town.waitingList(at: now).waiting(at: now).first else { return }
        try agree(slow.call()) { try town.call(first.ticket.id, at: now) }
      default:
        slow.open()
        try town.open(at: now)
      }
    }

    /// Books up to six time units, beginning within the next 24.
    private func book(for person: ID<Person>) throws {
      let unit = ClaimedTime.unit.count
      let first = now.seconds / unit + Int64(Int.random(in: 1...24, using: &random))
      let length = Int64(Int.random(in: 1...6, using: &random))
      let span = Instant(first * unit)..<Instant((first + length) * unit)
      try agree(slow.book(span)) {
        bookings.append((try town.book(person, span, at: now), span))
      }
    }

    private func agree(_ isDone: Bool, _ change: () throws -> Void) throws {
      do {
        try change()
        #expect(isDone)
      } catch is Refusal {
        #expect(!isDone)
      } catch is ClaimedTime.Taken {
        #expect(!isDone)
      }
    }

    private func compare() throws {
      let waitingList = try town.waitingList(at: now)
      #expect(waitingList.isOpen(at: now) == slow.isOpen)
      #expect(waitingList.treated(at: now)?.ticket.number == slow.treated?.number)
      #expect(waitingList.treated(at: now)?.treatment?.upperBound == slow.treated?.until)
      #expect(waitingList.waiting(at: now).map(\.ticket.number) == slow.waiting.map(\.number))
      #expect(waitingList.isFree(at: now) == slow.isFreeForOneMore)
    }

    /// Checks that without further changes each call happens at its expected time, and that a later
    /// query returns the same past.
    private func foresee() throws {
      let before = try town.waitingList(at: now)
      let expected = before.waiting(at: now).compactMap { $0.treatment?.lowerBound }
      let numbers = before.waiting(at: now).map(\.ticket.number)
      let end = now + .hours(20)
      slow.advance(to: end)
      #expect(expected == numbers.compactMap { slow.calls[$0] })
      let after = try town.waitingList(at: end)
      var moment = now
      while moment < end {
        #expect(
          before.treated(at: moment)?.ticket.number == after.treated(at: moment)?.ticket.number)
        moment = moment + .minutes(7)
      }
      try town.settle(at: end)
      #expect(try town.waitingList(at: end).treated(at: end)?.ticket.number == slow.treated?.number)
    }
  }
}
