import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct ExportTests {
  /// Returns the content of one file in the copy.
  private func file(_ name: String, of visitor: TestVisitor) throws -> String {
    try unzipped(visitor, "sys.stdout.buffer.write(archive.read('\(name)'))")
  }

  /// Downloads the copy, runs `line` in Python with the open `archive` and returns its output.
  private func unzipped(_ visitor: TestVisitor, _ line: String) throws -> String {
    let hidden = visitor.get("/account/export").hidden(of: "/account/export")
    let answer = visitor.postForBytes("/account/export", pairs: hidden)
    let path = NSTemporaryDirectory() + "copy-\(UUID().uuidString).zip"
    try Data(answer).write(to: URL(filePath: path))
    defer { unlink(path) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sys, zipfile; archive = zipfile.ZipFile(sys.argv[1]); \(line)", path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `the copy holds the profile, module data, module files and one FHIR Bundle`() throws {
    let portal = try TestPortal(ShelfModule())
    let anna = try portal.register()
    #expect(try file("profile.json", of: anna).contains("\"surname\":\"Petrova\""))
    #expect(try file("shelf.json", of: anna) == "{\"books\":[\"Dead Souls\"]}")
    #expect(try file("shelf.txt", of: anna) == "Dead Souls\n")
    let bundle = try file("fhir.json", of: anna)
    #expect(bundle.hasPrefix("{\"resourceType\":\"Bundle\",\"type\":\"collection\""))
    #expect(bundle.contains("\"resourceType\":\"Patient\""))
    #expect(bundle.contains("\"family\":\"Petrova\",\"given\":[\"Anna\"]"))
    #expect(bundle.contains("\"resourceType\":\"Basic\""))
    #expect(!bundle.contains("\"\""))
  }

  @Test func `the copy includes the data of a module that is off`() throws {
    let portal = try TestPortal(ShelfModule(), disabled: ["shelf"])
    let anna = try portal.register()
    #expect(try file("shelf.json", of: anna).contains("Dead Souls"))
  }

  @Test func `the copy is a valid ZIP with a 500 kB file and no file for empty modules`() throws {
    let portal = try TestPortal(ShelfModule())
    let anna = try portal.register()
    #expect(try file("pages.txt", of: anna) == String(repeating: "page\n", count: 100_000))
    let names = try unzipped(anna, "print(*sorted(archive.namelist()))")
    #expect(names == "fhir.json notifications.json pages.txt profile.json shelf.json shelf.txt\n")
    #expect(try unzipped(anna, "print(archive.testzip())") == "None\n")
  }

  @Test func `a streamed download is sent in full to GET and without a body to HEAD`() throws {
    let anna = try TestPortal(ShelfModule()).register()
    let answer = anna.get("/shelf/pages.txt")
    #expect(answer.status == 200 && answer.isWhole)
    #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
    #expect(answer.header("Content-Disposition") == "attachment; filename=\"pages.txt\"")
    #expect(answer.body == String(repeating: "page\n", count: 100_000))
    let head = anna.send("HEAD", "/shelf/pages.txt")
    #expect(head.status == 200 && head.body.isEmpty)
    #expect(head.header("Content-Type") == "text/plain; charset=utf-8")
  }

  @Test func `a download whose writing fails is incomplete`() throws {
    let anna = try TestPortal(ShelfModule()).register()
    let answer = anna.get("/shelf/torn.txt")
    #expect(!answer.isWhole)
    #expect(anna.send("HEAD", "/shelf/torn.txt").isWhole)
  }

  @Test func `the copy needs a signed-in user and an anti-forgery token`() throws {
    let portal = try TestPortal(ShelfModule())
    #expect(portal.visitor().get("/account/export").status == 303)
    let anna = try portal.register()
    #expect(anna.post("/account/export", pairs: []).status == 403)
  }
}

/// A test module that exports a book as JSON, files and FHIR, and offers downloads.
private struct ShelfModule: Module {
  let id: ModuleID = "shelf"
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array(#"{"title": "Shelf", "privacy.books": "Books"}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var routes: [Route] {
    [
      .get("pages.txt") {
        try $0.download(type: "text/plain; charset=utf-8", as: "pages.txt", Self.pages)
      },
      .get("torn.txt") { _ in
        .download(type: "text/plain; charset=utf-8", as: "torn.txt") { sink in
          try sink.write("the beginning".utf8)
          throw DecodingFailure()
        }
      },
    ]
  }

  private static let pages: ExportFile.Content = { _, sink in
    for _ in 0..<100_000 { try sink.write("page\n".utf8) }
  }

  var personalData: PersonalData {
    PersonalData(
      .plain("privacy.books", until: "privacy.until-deleted"),
      export: { try $1.write("books", ["Dead Souls"]) },
      files: [
        ExportFile("shelf.txt") { try $1.write("Dead Souls\n".utf8) },
        ExportFile("pages.txt", Self.pages),
      ],
      fhir: { try $1.append(["resourceType": "Basic"]) })
  }
}
