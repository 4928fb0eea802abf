import Glibc
import Logging
import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite struct PresenceTests {
  private let start = Instant(1_700_000_000)
  private let silent = Logger(label: "presence") { _ in SwiftLogNoOpLogHandler() }

  /// A supervisor's life: what it notes at which second of passed time, its clock set by so many.
  private func live(
    _ path: String, from begin: Int, _ notes: [(second: Int, state: Presence.State, set: Int)]
  ) throws -> Presence {
    var presence = Presence(AvailabilityFile(path), log: silent)
    for note in notes {
      presence.note(
        note.state,
        at: Presence.Moment(
          wall: start + .seconds(begin + note.second + note.set),
          elapsed: .seconds(5_000 + begin + note.second)))
    }
    return presence
  }

  private func every(
    _ interval: Int, _ range: ClosedRange<Int>, set: Int = 0
  ) -> [(second: Int, state: Presence.State, set: Int)] {
    stride(from: range.lowerBound, through: range.upperBound, by: interval).map {
      (second: $0, state: .there, set: set)
    }
  }

  private func share(_ path: String, at second: Int) throws -> Double? {
    try AvailabilityFile(path).read()?.share(at: start + .seconds(second))
  }

  @Test func `a crash and a restart are an outage between the last heartbeat and the next start`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600))
      _ = try live(path, from: 700, every(2, 0...300))
      #expect(try share(path, at: 1_000) == 0.9)
    }
  }

  @Test func `an end that was asked for is known to the second`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...94) + [(95, .away, 0)])
      _ = try live(path, from: 100, every(2, 0...100))
      #expect(try share(path, at: 200) == 0.975)
    }
  }

  @Test func `without a worker the portal is away, although the supervisor runs`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      let away = (50...59).map { (second: $0, state: Presence.State.away, set: 0) }
      _ = try live(path, from: 0, every(1, 0...49) + away + every(1, 60...100))
      #expect(try share(path, at: 100) == 0.9)
    }
  }

  @Test func `a portal that answers nobody was away ever since it last answered`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      let unanswered = [25, 40].map { (second: $0, state: Presence.State.unanswered, set: 0) }
      _ = try live(path, from: 0, every(10, 0...20) + unanswered + every(10, 60...100))
      #expect(try share(path, at: 100) == 0.6)
    }
  }

  @Test(arguments: [-3_600, 86_400, -400_000_000])
  func `a clock that is set while the portal runs is no outage, and makes no history`(
    set: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600))
      let presence = try live(path, from: 700, every(2, 0...100) + every(2, 102...300, set: set))
      #expect(try share(path, at: 1_000 + set) == 0.9)
      #expect(presence.record?.since == start + .seconds(set))
    }
  }

  @Test func `a machine that slept was away`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600) + every(2, 900...1_000))
      #expect(try share(path, at: 1_000) == 0.7)
    }
  }

  @Test func `a file that is broken is set aside and begun anew`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      do {
        let file = try OpenFile(path, O_WRONLY | O_CREAT)
        try file.write(Array("no such thing\n".utf8))
      }
      _ = try live(path, from: 0, every(2, 0...100))
      #expect(try share(path, at: 100) == 1)
      #expect(try TextFile.read(path + ".broken") == "no such thing\n")
    }
  }

  @Test func `a file that is taken away or cannot be written is written when it can be`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...60))
      unlink(path)
      _ = try live("\(directory)/missing/availability", from: 0, every(2, 0...60))
      #expect(try AvailabilityFile(path).read() == nil)
      var presence = try live(path, from: 60, every(2, 0...20))
      unlink(path)
      presence.note(
        .there, at: Presence.Moment(wall: start + .seconds(100), elapsed: .seconds(5_100)))
      #expect(try share(path, at: 100) == 1)
    }
  }
}
