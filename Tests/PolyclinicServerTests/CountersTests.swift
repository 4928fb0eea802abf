import Glibc
import Testing

@testable import PolyclinicServer

@Suite struct CountersTests {
  @Test func `what several processes count is one sum`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/counters"
      _ = try Counters.make(path, processes: 2)
      let one = try #require(try Counters.open(path))
      let other = try #require(try Counters.open(path))
      let row = one.row("a")
      #expect(other.row("a") == row && other.row("b") != row)
      one.lanes[1].add(2, to: 3, of: row)
      other.lanes[2].add(3, to: 3, of: row)
      other.lanes[1].add(4, to: 3, of: row)
      #expect(one.sum(3, of: row) == 9 && other.sum(3, of: row) == 9)
      #expect(one.names == ["a", "b"])
    }
  }

  @Test func `a lane is taken once while its process lives, and goes on where a dead one was`()
    throws
  {
    try withTemporaryDirectory { directory in
      let counters = try Counters.make("\(directory)/counters", processes: 2)
      let row = counters.row("a")
      // A number above the kernel's largest is nobody's.
      #expect(counters.lanes[1].claim(for: 1 << 23))
      counters.lanes[1].add(5, to: 0, of: row)
      let lane = counters.claimLane()
      #expect(lane[.owner] == UInt64(getpid()) && lane.load(0, of: row) == 5)
      #expect(!counters.lanes[1].claim(for: getpid()))
      // The last one that is free, then the one that is everybody's.
      for number in [2, 0] {
        counters.claimLane().add(1, to: 0, of: row)
        #expect(counters.lanes[number].load(0, of: row) == 1)
      }
      #expect(counters.sum(0, of: row) == 7)
    }
  }

  @Test func `a name that is too long, or one too many, does not break what is counted`() throws {
    let counters = try Counters()
    let long = counters.row(String(repeating: "я", count: 200))
    #expect(counters.row(String(repeating: "я", count: 200)) == long)
    let rows = (0..<600).map { counters.row("row \($0)") }
    #expect(Set(rows).count == Lane.rows - 1)
    #expect(rows.allSatisfy { $0 < Lane.rows })
    #expect(counters.names.count == Lane.rows - 1)
  }

  @Test func `another release's file, a short one and none are no counters`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/counters"
      #expect(try Counters.open(path) == nil)
      for content in ["", "short", String(repeating: "x", count: 1_000_000)] {
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(content.utf8))
        #expect(try Counters.open(path) == nil)
      }
      _ = try Counters.make(path, processes: 1)
      #expect(try Counters.open(path) != nil)
    }
  }

  @Test func `threads that count at once lose nothing`() throws {
    let counters = try Counters()
    let lane = counters.claimLane()
    let row = counters.row("a")
    let threads = try (0..<4).map { _ in
      try SystemThread { for _ in 0..<10_000 { lane.add(1, to: 0, of: row) } }
    }
    for thread in threads { thread.join() }
    #expect(counters.sum(0, of: row) == 40_000)
  }
}
