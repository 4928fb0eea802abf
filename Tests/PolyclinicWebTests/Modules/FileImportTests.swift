import PolyclinicCore
import PolyclinicTesting
import Synchronization
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicWeb

@Suite struct FileImportTests {
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

  @Test func `an import previews the file and stores rows only after confirmation`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = anna.upload(
      "/songs/import", "file", bytes("Yesterday\n!Thunder\nImagine\n"), ["case": "as-they-are"])
    #expect(sent.status == 303)
    let none = try titles(portal)
    #expect(none.isEmpty)
    let shown = anna.get(sent.location)
    #expect(shown.status == 200)
    #expect(shown.hasRow("Line 2"))
    #expect(shown.hasRow("Too loud"))
    #expect(shown.hasButton("Import 2 records"))
    let taken = try anna.submit(sent.location, ["case": "as-they-are"])
    #expect(taken.location == "/songs?new=2")
    #expect(try titles(portal) == ["Imagine", "Yesterday"])
    #expect(try uploads(portal) == 0)
  }

  @Test func `one refused line stops the import when the tolerance is whole`() throws {
    let portal = try TestPortal(SongsModule(tolerance: .whole))
    let anna = try portal.register()
    let sent = upload(bytes("Yesterday\n!Thunder\n"), anna)
    let shown = anna.get(sent.location)
    #expect(!shown.hasButton("Import") && !shown.hasField("leave"))
    #expect(shown.hasRow("Line 2"))
    #expect(try anna.submit(sent.location, ["case": "as-they-are"]).status == 422)
    let none = try titles(portal)
    #expect(none.isEmpty)
  }

  @Test func `an import asks for a missing option in the preview before it stores rows`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = anna.upload("/songs/import", "file", bytes("Yesterday\n"), ["case": "ask"])
    #expect(sent.status == 303)
    #expect(anna.get(sent.location).hasError(of: "case"))
    let answered = try anna.submit(sent.location, ["case": "lower"])
    #expect(answered.location == sent.location)
    let none = try titles(portal)
    #expect(none.isEmpty)
    #expect(anna.get(sent.location).contains("<bdi>yesterday</bdi>"))
    #expect(try anna.submit(sent.location, ["case": "lower"]).location == "/songs?new=1")
    #expect(try titles(portal) == ["yesterday"])
  }

  @Test func `rows that are already stored are shown and not imported again`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    for _ in 0..<2 {
      let sent = upload(bytes("Yesterday\n"), anna)
      _ = try anna.submit(sent.location, ["case": "as-they-are"])
    }
    let sent = upload(bytes("Yesterday\n"), anna)
    #expect(anna.get(sent.location).contains("Here already"))
    #expect(!anna.get(sent.location).hasButton("Import"))
    #expect(try titles(portal) == ["Yesterday"])
  }

  @Test func `a missing, empty, unreadable or oversized file is refused and not stored`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    for (content, words) in [
      (bytes(""), "The file is empty"), ([0xFF, 0xFE], "This is no list of songs"),
      ([UInt8](repeating: 0x61, count: (1 << 20) + 1), "limit is 1 MB"),
    ] {
      let answer = upload(content, anna)
      #expect(answer.status == 422)
      #expect(answer.hasError(of: "file"))
      #expect(answer.contains(words))
    }
    #expect(anna.upload("/songs/import", "other", bytes("a")).status == 422)
    let huge = [UInt8](repeating: 0x61, count: 2 << 20)
    #expect(upload(huge, anna).status == 413)
    #expect(try uploads(portal) == 0)
  }

  @Test func `an upload is encrypted, visible to its sender only, and expires in an hour`() throws {
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
    #expect(anna.get("/songs/import?expired=yes").hasNotice(.warning, "Choose the file again"))
    try portal.runJobs()
    #expect(try uploads(portal) == 0)
  }

  @Test func `cancelling deletes the upload, and a new upload replaces the old one`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let first = upload(bytes("Yesterday\n"), anna)
    let second = upload(bytes("Imagine\n"), anna)
    #expect(anna.get(first.location).status == 303)
    #expect(try anna.submit(second.location, ["cancel": "yes"]).location == "/songs")
    #expect(try uploads(portal) == 0)
  }

  @Test func `confirming an import twice stores its rows once`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = upload(bytes("Yesterday\n"), anna)
    let fields = anna.get(sent.location).hidden(of: sent.location) + [("case", "as-they-are")]
    #expect(anna.post(sent.location, pairs: fields).location == "/songs?new=1")
    #expect(anna.post(sent.location, pairs: fields).location == "/songs?new=1")
    #expect(try titles(portal) == ["Yesterday"])
  }

  @Test func `an upload needs sign-in, a token and a route that accepts files`() throws {
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

  @Test func `a file without importable rows is refused with 422 without a transaction`() throws {
    let portal = try TestPortal(SongsModule())
    let anna = try portal.register()
    let sent = upload(bytes("!Thunder\n"), anna)
    let fields = anna.get(sent.location).hidden(of: sent.location) + [("case", "as-they-are")]
    // A nested transaction on this thread would be an error.
    try portal.database.write { _ in
      #expect(anna.post(sent.location, pairs: fields).status == 422)
    }
  }

  @Test func `a row stored while the file is read stops the import with 409`() throws {
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
    #expect(answer.status == 409 && answer.hasNotice(.warning, "have changed"))
    #expect(answer.contains("Here already") && answer.hasButton("Import 1 record"))
    #expect(try titles(portal) == ["Imagine"])
    #expect(try anna.submit(sent.location, ["case": "as-they-are"]).location == "/songs?new=1")
    #expect(try titles(portal) == ["Imagine", "Yesterday"])
  }

  @Test func `an upload deleted while it is read is refused with 404`() throws {
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

  @Test func `a large file is refused with 429 while other large files are being read`() throws {
    let isBusy = Mutex(false)
    let portal = try TestPortal(
      SongsModule(whenRead: { _ in if isBusy.withLock({ $0 }) { throw LargeFileLimiter.Busy() } }))
    let anna = try portal.register()
    let kept = upload(bytes("Yesterday\n"), anna)
    isBusy.withLock { $0 = true }
    let answer = upload(bytes("Imagine\n"), anna)
    #expect(answer.status == 429 && answer.header("Retry-After") == "5")
    let line = portal.log.last { $0.contains("a form was not saved") }
    #expect(line?.contains(" info worker ") == true && line?.contains("large files") == true)
    #expect(
      answer.contains("id=\"file\"")
        && answer.hasNotice(.warning, "Other large files are being read"))
    let preview = anna.get(kept.location)
    #expect(preview.status == 429 && preview.header("Retry-After") == "5")
    isBusy.withLock { $0 = false }
    #expect(anna.get(kept.location).status == 200)
  }
}
