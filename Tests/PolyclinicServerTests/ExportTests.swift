import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@Suite struct ExportTests {
  /// What `unzip -p` makes of the copy that the page hands out.
  private func file(_ name: String, of visitor: TestVisitor) throws -> String {
    let hidden = visitor.get("/account/export").hidden(of: "/account/export")
    let answer = visitor.postForBytes("/account/export", pairs: hidden)
    let path = NSTemporaryDirectory() + "copy-\(UUID().uuidString).zip"
    try Data(answer).write(to: URL(filePath: path))
    defer { unlink(path) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))",
      path, name,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a copy holds the profile, each module's data, its files and one Bundle`() throws {
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

  @Test func `what a module keeps is handed out also while it is off`() throws {
    let portal = try TestPortal(ShelfModule(), disabled: ["shelf"])
    let anna = try portal.register()
    #expect(try file("shelf.json", of: anna).contains("Dead Souls"))
  }

  @Test func `nobody else gets it, and no other site`() throws {
    let portal = try TestPortal(ShelfModule())
    #expect(portal.visitor().get("/account/export").status == 303)
    let anna = try portal.register()
    #expect(anna.post("/account/export", pairs: []).status == 403)
  }
}

/// A module that hands out a book in every way there is.
private struct ShelfModule: Module {
  let id: ModuleID = "shelf"
  var title: Text { "title" }
  var catalog: Catalog {
    let words = Array(#"{"title": "Shelf", "privacy.books": "Books"}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  var personalData: PersonalData {
    PersonalData(
      .plain("privacy.books", until: "privacy.until-deleted"),
      export: { _, _ in ["books": ["Dead Souls"]] },
      files: [ExportFile("shelf.txt") { _, _ in Array("Dead Souls\n".utf8) }],
      fhir: { _, _ in [["resourceType": "Basic"]] })
  }
}
