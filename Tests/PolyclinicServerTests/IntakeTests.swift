import PolyclinicCore
import PolyclinicTesting
import Synchronization
import Testing

@testable import PolyclinicServer

@Suite struct IntakeTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func titles(_ portal: TestPortal) throws -> [String] {
    try portal.database.read { connection in
      try connection.rows("SELECT title FROM songs ORDER BY title") { row in row.string(0) }
    }
  }

  private func uploads(_ portal: TestPortal) throws -> Int {
    try portal.database.read { try $0.integer("SELECT COUNT(*) FROM uploads") } ?? 0
  }

  private func upload(_ content: [UInt8], _ visitor: TestVisitor) -> TestPage {
    visitor.upload("/songs/import", "file", content, ["case": "as-they-are"])
  }

  @Test func `a file is shown before anything of it is taken in`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = anna.upload(
      "/songs/import", "file", bytes("Yesterday\n!Thunder\nImagine\n"), ["case": "as-they-are"])
    #expect(sent.status == 303)
    let none = try titles(portal)
    #expect(none.isEmpty)
    let shown = anna.get(sent.location)
    #expect(shown.status == 200)
    #expect(shown.contains("Line 2"))
    #expect(shown.contains("Too loud"))
    #expect(shown.contains("Take in 2 records"))
    let taken = try anna.submit(sent.location, ["case": "as-they-are"])
    #expect(taken.location == "/songs?new=2")
    #expect(try titles(portal) == ["Imagine", "Yesterday"])
    #expect(try uploads(portal) == 0)
  }

  @Test func `where one line is to stop all, nothing is taken in`() throws {
    let portal = try TestPortal(SongsModule(tolerance: .whole))
    let anna = try portal.register()
    let sent = upload(bytes("Yesterday\n!Thunder\n"), anna)
    let shown = anna.get(sent.location)
    #expect(!shown.contains("Take in"))
    #expect(shown.contains("Line 2"))
    #expect(try anna.submit(sent.location, ["case": "as-they-are"]).status == 422)
    let none = try titles(portal)
    #expect(none.isEmpty)
  }

  @Test func `what has to be answered is asked beside what the file holds`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = anna.upload("/songs/import", "file", bytes("Yesterday\n"), ["case": "ask"])
    #expect(sent.status == 303)
    #expect(anna.get(sent.location).contains("id=\"case-error\""))
    let answered = try anna.submit(sent.location, ["case": "lower"])
    #expect(answered.location == sent.location)
    let none = try titles(portal)
    #expect(none.isEmpty)
    #expect(anna.get(sent.location).contains("<bdi>yesterday</bdi>"))
    #expect(try anna.submit(sent.location, ["case": "lower"]).location == "/songs?new=1")
    #expect(try titles(portal) == ["yesterday"])
  }

  @Test func `what is there already is told and left alone`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    for _ in 0..<2 {
      let sent = upload(bytes("Yesterday\n"), anna)
      _ = try anna.submit(sent.location, ["case": "as-they-are"])
    }
    let sent = upload(bytes("Yesterday\n"), anna)
    #expect(anna.get(sent.location).contains("Here already"))
    #expect(!anna.get(sent.location).contains("Take in"))
    #expect(try titles(portal) == ["Yesterday"])
  }

  @Test
  func `no file, an empty one, one of another kind and one too large come back to be chosen anew`()
    throws
  {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    for (content, words) in [
      (bytes(""), "The file is empty"), ([0xFF, 0xFE], "This is no list of songs"),
      ([UInt8](repeating: 0x61, count: (1 << 20) + 1), "at most 1 MB"),
    ] {
      let answer = upload(content, anna)
      #expect(answer.status == 422)
      #expect(answer.contains("id=\"file-error\""))
      #expect(answer.contains(words))
    }
    #expect(anna.upload("/songs/import", "other", bytes("a")).status == 422)
    let huge = [UInt8](repeating: 0x61, count: 2 << 20)
    #expect(upload(huge, anna).status == 413)
    #expect(try uploads(portal) == 0)
  }

  @Test func `a file belongs to whoever sent it, and is kept sealed for an hour`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let boris = try portal.register()
    let sent = upload(bytes("A rare and telling title\n"), anna)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("rare and telling"))
    let other = boris.get(sent.location)
    #expect(other.status == 303)
    #expect(!other.contains("rare"))
    #expect(other.location == "/songs/import?expired=yes")
    portal.now = portal.now + .hours(1)
    _ = try anna.signIn(anna.login)
    #expect(anna.get(sent.location).location == "/songs/import?expired=yes")
    #expect(anna.get("/songs/import?expired=yes").contains("Choose it once more"))
    try portal.runJobs()
    #expect(try uploads(portal) == 0)
  }

  @Test func `leaving forgets the file, and another takes its place`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let first = upload(bytes("Yesterday\n"), anna)
    let second = upload(bytes("Imagine\n"), anna)
    #expect(anna.get(first.location).status == 303)
    #expect(try anna.submit(second.location, ["cancel": "yes"]).location == "/songs")
    #expect(try uploads(portal) == 0)
  }

  @Test func `the same yes twice takes in once`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = upload(bytes("Yesterday\n"), anna)
    let fields = anna.get(sent.location).hidden(of: sent.location) + [("case", "as-they-are")]
    #expect(anna.post(sent.location, pairs: fields).location == "/songs?new=1")
    #expect(anna.post(sent.location, pairs: fields).location == "/songs?new=1")
    #expect(try titles(portal) == ["Yesterday"])
  }

  @Test func `a file is taken only where the route takes files, and only with the form's token`()
    throws
  {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let type = ["Content-Type": "multipart/form-data; boundary=x"]
    #expect(anna.send("POST", "/account/edit", body: bytes("--x--"), headers: type).status == 415)
    #expect(anna.send("POST", "/songs/import", body: bytes("--y--"), headers: type).status == 400)
    #expect(
      anna.upload("/songs/import", "file", bytes("a"), ["case": "lower", "csrf": "forged"]).status
        == 403)
    #expect(portal.visitor().upload("/songs/import", "file", bytes("a")).status == 401)
  }

  @Test func `a file of which nothing can be taken in is refused without a transaction`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = upload(bytes("!Thunder\n"), anna)
    let fields = anna.get(sent.location).hidden(of: sent.location) + [("case", "as-they-are")]
    // A second transaction of this thread would be refused as a fault.
    try portal.database.write { _ in
      #expect(anna.post(sent.location, pairs: fields).status == 422)
    }
  }

  @Test func `what is stored while a file is read is told, and nothing of the file is taken in`()
    throws
  {
    let others = Mutex([String]())
    let portal = try TestPortal(
      SongsModule(whenRead: { context in
        let database = context.portal.database
        for title in others.withLock({ $0 }) {
          try SystemThread {
            do {
              try database.write {
                try $0.run("INSERT INTO songs (person, title) VALUES (1, \(title))")
              }
            } catch { Issue.record(error) }
          }.join()
        }
        others.withLock { $0 = [] }
      }))
    let anna = try portal.register()
    let sent = upload(bytes("Yesterday\nImagine\n"), anna)
    let fields = anna.get(sent.location).hidden(of: sent.location) + [("case", "as-they-are")]
    others.withLock { $0 = ["Imagine"] }
    let answer = anna.post(sent.location, pairs: fields)
    #expect(answer.status == 409 && answer.contains("has changed meanwhile"))
    #expect(answer.contains("Here already") && answer.contains("Take in 1 record"))
    #expect(try titles(portal) == ["Imagine"])
    #expect(try anna.submit(sent.location, ["case": "as-they-are"]).location == "/songs?new=1")
    #expect(try titles(portal) == ["Imagine", "Yesterday"])
  }

  @Test func `a file that is replaced by another while it is read is not taken in`() throws {
    let isReplaced = Mutex(false)
    let portal = try TestPortal(
      SongsModule(whenRead: { context in
        let database = context.portal.database
        guard isReplaced.withLock({ $0 }) else { return }
        try SystemThread {
          do { try database.write { try $0.run("DELETE FROM uploads") } } catch {
            Issue.record(error)
          }
        }.join()
      }))
    let anna = try portal.register()
    let sent = upload(bytes("Yesterday\n"), anna)
    let fields = anna.get(sent.location).hidden(of: sent.location) + [("case", "as-they-are")]
    isReplaced.withLock { $0 = true }
    #expect(anna.post(sent.location, pairs: fields).status == 404)
    let none = try titles(portal)
    #expect(none.isEmpty)
  }

  @Test func `a large file that finds others being read comes back with 429, to be sent again`()
    throws
  {
    let isBusy = Mutex(false)
    let portal = try TestPortal(
      SongsModule(whenRead: { _ in if isBusy.withLock({ $0 }) { throw FileTurn.Taken() } }))
    let anna = try portal.register()
    let kept = upload(bytes("Yesterday\n"), anna)
    isBusy.withLock { $0 = true }
    let answer = upload(bytes("Imagine\n"), anna)
    #expect(answer.status == 429 && answer.header("Retry-After") == "5")
    #expect(answer.contains("id=\"file\"") && answer.contains("Other large files are being read"))
    let preview = anna.get(kept.location)
    #expect(preview.status == 429 && preview.header("Retry-After") == "5")
    isBusy.withLock { $0 = false }
    #expect(anna.get(kept.location).status == 200)
  }
}
