import Foundation
import PolyclinicCore

/// A module in which everything goes wrong: what it takes along tells how well the others are
/// walled off.
struct FaultyModule: Module {
  let id: ModuleID = "faulty"
  var title: Text { "faulty.title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none }
  var migrations: [Migration] { Note.migrations }

  var routes: [Route] {
    [
      .get("note", Note.add),
      .get("throws") { _ in throw Fault() },
      .get("loops") { _ in Self.loop() },
      .get("hoards") { _ in Self.hoard() },
      .get("overflows") { _ in .text("\(Self.overflow(1))") },
      .post("loops") { _ -> Response in Self.loop() },
      .get("large") { _ in .text(String(repeating: "large ", count: 1 << 20)) },
      .get("torn") { _ in
        .download(type: "text/plain", as: "torn.txt") { sink in
          for _ in 0..<300 { try sink.write([UInt8](repeating: UInt8(ascii: "x"), count: 1_000)) }
          throw Fault()
        }
      },
      .get("slow") { _ in
        Thread.sleep(forTimeInterval: 3)
        return .text("late\n")
      },
    ]
  }

  var cards: [Card] {
    [Card("faulty.throws") { _ in throw Fault() }]
  }

  var jobs: [Job] {
    [
      Job("throws") { _ in throw Fault() },
      Job("loops", limit: .seconds(3)) { _ in Self.loop() },
      Job("hoards") { _ in Self.hoard() },
    ]
  }

  var checks: [HealthCheck] {
    [HealthCheck("throws") { _ in throw Fault() }]
  }

  private struct Fault: Error {}

  private static func loop() -> Never {
    while true { _ = getpid() }
  }

  private static func hoard() -> Never {
    var hoard: [[UInt8]] = []
    while true { hoard.append([UInt8](repeating: 1, count: 16 << 20)) }
  }

  /// Adds to what comes back, so that no call can be the last of its caller.
  private static func overflow(_ depth: Int) -> Int {
    depth == 0 ? 0 : overflow(depth + 1) + depth
  }
}
