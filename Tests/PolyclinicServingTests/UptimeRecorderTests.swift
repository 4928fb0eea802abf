import Glibc
import Logging
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct UptimeRecorderTests {
  private let start = Instant(1_700_000_000)
  private let silent = Logger(label: "uptime") { _ in SwiftLogNoOpLogHandler() }

  /// Records each state at its second as one supervisor, whose clock is set by `set` seconds.
  private func live(
    _ path: String, from begin: Int,
    _ notes: [(second: Int, state: UptimeRecorder.State, set: Int)], boot: String = ""
  ) throws -> UptimeRecorder {
    var recorder = UptimeRecorder(UptimeFile(path), log: silent)
    for note in notes {
      recorder.note(
        note.state,
        at: UptimeRecorder.Moment(
          wall: start + .seconds(begin + note.second + note.set),
          elapsed: .seconds(5_000 + begin + note.second), boot: boot))
    }
    return recorder
  }

  private func every(
    _ interval: Int, _ range: ClosedRange<Int>, set: Int = 0
  ) -> [(second: Int, state: UptimeRecorder.State, set: Int)] {
    stride(from: range.lowerBound, through: range.upperBound, by: interval).map {
      (second: $0, state: .available, set: set)
    }
  }

  private func share(_ path: String, at second: Int) throws -> Double? {
    try UptimeFile(path).read()?.share(at: start + .seconds(second))
  }

  @Test func `a crash is an outage from the last heartbeat to the next start`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600))
      _ = try live(path, from: 700, every(2, 0...300))
      #expect(try share(path, at: 1_000) == 0.9)
    }
  }

  @Test func `a requested stop is recorded to the second`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...94) + [(95, .unavailable, 0)])
      _ = try live(path, from: 100, every(2, 0...100))
      #expect(try share(path, at: 200) == 0.975)
    }
  }

  @Test func `the portal counts as unavailable while no worker runs`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      let away = (50...59).map { (second: $0, state: UptimeRecorder.State.unavailable, set: 0) }
      _ = try live(path, from: 0, every(1, 0...49) + away + every(1, 60...100))
      #expect(try share(path, at: 100) == 0.9)
    }
  }

  @Test func `an unanswered probe counts as an outage since the last answer`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      let unanswered = [25, 40].map { (second: $0, state: UptimeRecorder.State.unanswered, set: 0) }
      _ = try live(path, from: 0, every(10, 0...20) + unanswered + every(10, 60...100))
      #expect(try share(path, at: 100) == 0.6)
    }
  }

  @Test(arguments: [-3_600, 86_400, -400_000_000])
  func `a clock change adds no outage and shifts the start of the record`(set: Int) throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600))
      let recorder = try live(path, from: 700, every(2, 0...100) + every(2, 102...300, set: set))
      #expect(try share(path, at: 1_000 + set) == 0.9)
      #expect(recorder.record?.since == start + .seconds(set))
    }
  }

  @Test(arguments: [-3_600, 86_400, 400_000_000, 880_000_000_000])
  func `a clock that is set while the portal is stopped, and set right, changes nothing`(
    set: Int
  ) throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600), boot: "one")
      _ = try live(path, from: 650, every(2, 0...100, set: set), boot: "one")
      #expect(try UptimeFile(path).read()?.share(at: start + .seconds(750 + set)) == 700 / 750.0)
      let recorder = try live(path, from: 800, every(2, 0...200), boot: "one")
      #expect(try share(path, at: 1_000) == 0.9)
      #expect(recorder.record?.since == start)
    }
  }

  @Test func `a stop with a restart of the machine counts as an outage`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600), boot: "one")
      _ = try live(path, from: 900, every(2, 0...100), boot: "two")
      #expect(try share(path, at: 1_000) == 0.7)
    }
  }

  @Test func `sleep of the machine counts as an outage`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...600) + every(2, 900...1_000))
      #expect(try share(path, at: 1_000) == 0.7)
    }
  }

  @Test func `a broken file is set aside and a new one is started`() throws {
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

  @Test func `a deleted file is written again, and an unwritable one is tolerated`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/availability"
      _ = try live(path, from: 0, every(2, 0...60))
      unlink(path)
      _ = try live("\(directory)/missing/availability", from: 0, every(2, 0...60))
      #expect(try UptimeFile(path).read() == nil)
      var recorder = try live(path, from: 60, every(2, 0...20))
      unlink(path)
      recorder.note(
        .available, at: UptimeRecorder.Moment(wall: start + .seconds(100), elapsed: .seconds(5_100))
      )
      #expect(try share(path, at: 100) == 1)
    }
  }
}
