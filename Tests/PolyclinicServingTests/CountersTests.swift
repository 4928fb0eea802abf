import Glibc
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct CountersTests {
  @Test func `counts of several processes are added up`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/counters"
      _ = try Counters.make(path, processes: 2)
      let one = try #require(try Counters.open(path))
      let other = try #require(try Counters.open(path))
      let row = one.row("a")
      #expect(other.row("a") == row && other.row("b") != row)
      one.shards[1].add(2, to: 3, of: row)
      other.shards[2].add(3, to: 3, of: row)
      other.shards[1].add(4, to: 3, of: row)
      #expect(one.sum(3, of: row) == 9 && other.sum(3, of: row) == 9)
      #expect(one.names == ["a", "b"])
    }
  }

  @Test func `a process takes over a dead process's shard, but not a live one's`() throws {
    try withTemporaryDirectory { directory in
      let counters = try Counters.make("\(directory)/counters", processes: 2)
      let row = counters.row("a")
      // A process ID above the kernel's maximum belongs to no process.
      #expect(counters.shards[1].claim(for: 1 << 23))
      counters.shards[1].add(5, to: 0, of: row)
      let shard = counters.claimShard()
      #expect(shard[.owner] == UInt64(getpid()) && shard.load(0, of: row) == 5)
      #expect(!counters.shards[1].claim(for: getpid()))
      // The last free shard, then the shared shard.
      for number in [2, 0] {
        counters.claimShard().add(1, to: 0, of: row)
        #expect(counters.shards[number].load(0, of: row) == 1)
      }
      #expect(counters.sum(0, of: row) == 7)
    }
  }

  @Test func `a long name has one row, and excess names share the last row`() throws {
    let counters = try Counters()
    let long = counters.row(String(repeating: "я", count: 200))
    #expect(counters.row(String(repeating: "я", count: 200)) == long)
    let rows = (0..<600).map { counters.row("row \($0)") }
    #expect(Set(rows).count == CounterShard.rows - 1)
    #expect(rows.allSatisfy { $0 < CounterShard.rows })
    #expect(counters.names.count == CounterShard.rows - 1)
  }

  @Test func `a missing, short or foreign file is not opened`() throws {
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

  @Test func `concurrent increments by threads are not lost`() throws {
    let counters = try Counters()
    let shard = counters.claimShard()
    let row = counters.row("a")
    let threads = try (0..<4).map { _ in
      try SystemThread { for _ in 0..<10_000 { shard.add(1, to: 0, of: row) } }
    }
    for thread in threads { thread.join() }
    #expect(counters.sum(0, of: row) == 40_000)
  }
}
