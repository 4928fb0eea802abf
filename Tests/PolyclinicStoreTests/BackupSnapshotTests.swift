import Foundation
import PolyclinicCore
import PolyclinicStore
import Synchronization
import Testing

@Suite struct BackupSnapshotTests {
  let fixture: Fixture
  let database: SQLiteDatabase

  init() throws {
    fixture = try Fixture()
    database = try fixture.database()
  }

  @Test func `a snapshot contains earlier writes and none made while it is copied`() throws {
    let database = database
    try database.add("before")
    let (copy, count) = try copy(of: database, to: fixture.path + ".copy") {
      try onThreads(2) { index in try database.add("meanwhile \(index)") }
      #expect(try database.read { try $0.integer("SELECT count(*) FROM names") } == 1)
    }
    #expect(count == 1)
    #expect(try copy.names() == ["before"])
    #expect(try copy.integrityProblems() == [])
    #expect(try database.names().count == 3)
  }

  @Test func `snapshots taken during writes are intact and hold whole transactions`() throws {
    let isOver = Atomic(false)
    let (database, path) = (database, fixture.path)
    try onThreads(4) { index in
      if index == 0 {
        defer { isOver.store(true, ordering: .relaxed) }
        for number in 0..<10 {
          let before = try database.names().count
          let (copy, count) = try copy(of: database, to: "\(path).\(number)")
          #expect(try copy.integrityProblems() == [])
          let names = try copy.names()
          #expect(names.count == count && count >= before && count.isMultiple(of: 2))
        }
        return
      }
      var number = 0
      while !isOver.load(ordering: .relaxed) {
        number += 1
        let name = "\(index) \(number) " + String(repeating: "x", count: number % 97 * 100)
        try database.write { connection in
          for half in ["a", "b"] {
            try connection.run("INSERT INTO names (name) VALUES (\(name + half))")
          }
        }
      }
    }
  }

  @Test func `an open read makes a snapshot fail as busy and does not block writes`() throws {
    try database.add("before")
    let database = database
    try database.read { connection in
      _ = try connection.integer("SELECT count(*) FROM names")
      try onThreads(1) { _ in try database.add("meanwhile") }
      try onThreads(1) { _ in
        #expect(kind { try database.snapshot(attempts: 2) { _, _ in } } == .busy)
        try database.add("after")
      }
    }
    #expect(try database.snapshot { _, file in file.byteCount } > 0)
  }

  @Test func `truncating the write-ahead log waits for the end of a snapshot`() throws {
    let database = database
    let isCopied = Atomic(false)
    let ending = DispatchGroup()
    try database.snapshot { _, _ in
      try onThreads(1) { _ in try database.add("meanwhile") }
      ending.enter()
      Thread {
        do { try database.checkpointTruncate() } catch { Issue.record(error) }
        if !isCopied.load(ordering: .acquiring) { Issue.record("emptied while it was read") }
        ending.leave()
      }.start()
      isCopied.store(true, ordering: .releasing)
    }
    ending.wait()
    #expect(try database.names() == ["meanwhile"])
  }

  @Test func `a snapshot inside a transaction is refused`() throws {
    try database.read { _ in
      #expect(kind { try database.snapshot { _, _ in } } == .other)
    }
  }
}

/// Copies a snapshot to `path`; returns the copy and the snapshot's number of names.
private func copy(
  of database: SQLiteDatabase, to path: String, whileCopying: () throws -> Void = {}
) throws -> (SQLiteDatabase, Int) {
  let count = try database.snapshot { connection, file in
    try whileCopying()
    try bytes(of: file).write(to: URL(filePath: path))
    return try connection.integer("SELECT count(*) FROM names")
  }
  return (try SQLiteDatabase.open(path), try #require(count))
}

private func bytes(of file: FileSnapshot) throws -> Data {
  var bytes = Data(count: file.byteCount)
  let step = 4_096
  for start in stride(from: 0, to: bytes.count, by: step) {
    try bytes.withUnsafeMutableBytes { buffer in
      try file.read(
        at: start, into: UnsafeMutableRawBufferPointer(rebasing: buffer[start..<(start + step)]))
    }
  }
  return bytes
}
