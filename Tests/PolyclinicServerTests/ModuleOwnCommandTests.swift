import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct ModuleOwnCommandTests {
  private let portal: TestPortal

  init() throws { portal = try TestPortal(Library()) }

  private func outcome(_ words: String...) throws -> ModuleOwnCommands.Outcome {
    let output = try portal.run("library", words)
    return switch output.status {
    case 0: .done([output.text])
    case 1: .failed(output.text)
    default: .misused(output.text)
    }
  }

  /// Writes a file with this content to the portal's directory and returns its path.
  private func file(_ content: String) throws -> String {
    let path = portal.directory + "/books.csv"
    try Data(content.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `a command receives its arguments, files, options and flags`() throws {
    let path = try file("one\ntwo")
    #expect(try outcome("import", path, "main") == .done(["2 books to main"]))
    #expect(try outcome("import", path, "main", "--dry-run") == .done(["2 books to main, dry"]))
    #expect(try outcome("import", "--dry-run", path, "--", "-x") == .done(["2 books to -x, dry"]))
    for option in [["--after", "one"], ["--after=one"]] {
      let output = try portal.run("library", ["import", path, "main"] + option)
      #expect(output.text == "2 books to main after one")
    }
    #expect(try outcome("import", path, "main", "--extra", path) == .done(["4 books to main"]))
  }

  @Test func `a command can take several files, and needs at least one`() throws {
    let path = try file("one\ntwo")
    #expect(try outcome("count", "all", path) == .done(["all: 2"]))
    #expect(try outcome("count", "all", path, path, "--", path) == .done(["all: 2 2 2"]))
    let missing = try portal.run("library", ["count", "all"])
    #expect(missing.status == 2)
    #expect(missing.text.hasPrefix("Error: Missing expected argument '<file>'"))
    #expect(missing.text.contains("count [--config <config>] <shelf> <file> ...\n"))
    let unreadable = try portal.run("library", ["count", "all", path, "/nowhere/books.csv"])
    #expect(unreadable.status == 1 && unreadable.text.contains("/nowhere/books.csv"))
  }

  @Test func `a command's database writes persist, and its output has no control codes`() throws {
    #expect(try outcome("rename", "\u{1B}[2Jnew") == .done(["[2Jnew"]))
    let name = try portal.database.read { try $0.row("SELECT name FROM library") { $0.string(0) } }
    #expect(name == "\u{1B}[2Jnew")
  }

  @Test func `wrong arguments exit with 2 and show the usage`() throws {
    let usage = """
      Usage: polyclinic library import [--config <config>] <file> <shelf> [--after <after>] \
      [--extra <extra>] [--dry-run]
        See 'polyclinic library import --help' for more information.
      """
    let mistakes: [([String], String)] = [
      (["f"], "Missing expected argument '<shelf>'"),
      (["f", "s", "t"], "Unexpected argument 't'"),
      (["f", "s", "--dry-rum"], "Unknown option '--dry-rum'. Did you mean '--dry-run'?"),
      (["f", "s", "-x"], "Unknown option '-x'"),
      (["f", "s", "--dry-run=1"], "Unknown option '--dry-run'"),
      (["f", "s", "--after"], "Missing value for '--after <after>'"),
    ]
    for (words, sentence) in mistakes {
      let output = try portal.run("library", ["import"] + words)
      #expect(output.status == 2)
      #expect(output.text.hasPrefix("Error: \(sentence)"))
      #expect(output.text.hasSuffix(usage))
    }
  }

  @Test func `a misspelt command is refused with a suggestion`() throws {
    #expect(
      try outcome("inport")
        == .misused(
          "Error: The module \"library\" has no command \"inport\". Did you mean \"import\"? "
            + "Known: import, count, rename, lose"))
  }

  @Test func `help lists the commands and describes the arguments of each`() throws {
    for words in [[], ["--help"], ["-h"]] {
      let output = try portal.run("library", words)
      #expect(output.status == 0)
      #expect(output.text.hasPrefix("OVERVIEW: Library."))
      #expect(output.text.contains("  import                  Takes books from a file."))
    }
    let details = try portal.run("library", ["import", "-h"])
    #expect(details.status == 0)
    #expect(details.text.contains("USAGE: polyclinic library import"))
    #expect(details.text.contains("  <file>                  One title a line."))
    #expect(details.text.contains("  --after <after>         The book before the new ones."))
    #expect(details.text.contains("  -h, --help              Show help information."))
  }

  @Test func `a module without commands says so`() throws {
    let output = try TestPortal(SampleModule()).run("sample", [])
    #expect(output.status == 0 && output.text == "The module \"sample\" has no commands.")
  }

  @Test func `an error that a command reports exits with 1 and its message`() throws {
    #expect(try outcome("lose", "failure") == .failed("Nothing is lost. Look again."))
    #expect(try outcome("lose", "invalid") == .failed("book: Fill in this field"))
    #expect(try outcome("lose", "conflict") == .failed("Library"))
    #expect(throws: DecodingFailure.self) { try outcome("lose", "fault") }
  }

  @Test func `a file that cannot be read is reported with its path`() throws {
    let missing = try portal.run("library", ["import", "/nowhere/books.csv", "main"])
    #expect(missing.status == 1 && missing.text.contains("/nowhere/books.csv"))
  }

  @Test func `a pipe in place of a file is refused at once`() throws {
    let pipe = portal.directory + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let answer = try portal.run("library", ["import", pipe, "main"])
    #expect(answer.status == 1 && answer.text.contains("It is a pipe or a device"))
    #expect(throws: SystemError.self) { _ = try BackupReader(pipe, ring: portal.ring).header }
    #expect(throws: KeyRingError.self) { _ = try KeyRing.load(at: pipe) }
  }

  @Test func `a command of a module that is off is refused with advice to enable it`() throws {
    let off = try TestPortal(Library(), disabled: ["library"])
    let output = try off.run("library", ["rename", "new"])
    #expect(output.status == 1)
    #expect(output.text.hasSuffix("polyclinic module enable library"))
    #expect(try off.run("library", []).status == 0)
  }

  @Test func `a module cannot have the name of a portal command`() throws {
    #expect(throws: InstallationError.self) { try TestPortal(Library(id: "user")) }
  }

  @Test func `only a module id selects the module's commands`() {
    let modules: [any Module] = [Library()]
    #expect(ModuleOwnCommands.named(by: "library", among: modules) != nil)
    #expect(ModuleOwnCommands.named(by: "serve", among: modules) == nil)
    #expect(ModuleOwnCommands.named(by: nil, among: modules) == nil)
  }
}

/// A test module with commands.
private struct Library: Module {
  var id: ModuleID = "library"
  var title: Text { "title" }
  var catalog: Catalog { .titled("Library") }
  var personalData: PersonalData { .none }

  var migrations: [Migration] {
    [Migration("0001-library", "CREATE TABLE library (name TEXT NOT NULL) \(.strict)")]
  }

  var commands: [Command] {
    [
      Command(
        "import", "Takes books from a file.", .argument("file", "One title a line.", as: .file),
        .argument("shelf", "Where they stand."), .option("after", "The book before the new ones."),
        .option("extra", "More titles.", as: .file), .flag("dry-run", "Changes nothing."),
        run: take),
      Command(
        "count", "Counts the books of files.", .argument("shelf", "Where they stand."),
        .arguments("file", "One title a line.", as: .file)
      ) { _, call in
        let counts = call.files("file").map {
          $0.content.split(separator: UInt8(ascii: "\n")).count
        }
        let list = counts.map { "\($0)" }.joined(separator: " ")
        return ["\(call.text("shelf") ?? ""): \(list)"]
      },
      Command("rename", "Gives it a name.", .argument("name", "The name.")) { portal, call in
        let name = call.text("name") ?? ""
        try portal.database.write { try $0.run("INSERT INTO library (name) VALUES (\(name))") }
        return [name]
      },
      Command("lose", "Always goes wrong.", .argument("way", "How."), run: lose),
    ]
  }

  private func take(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let files = [call.file("file"), call.file("extra")].compactMap { $0 }
    let count = files.reduce(0) { $0 + $1.split(separator: UInt8(ascii: "\n")).count }
    let after = call.text("after").map { " after \($0)" } ?? ""
    let dry = call.has("dry-run") ? ", dry" : ""
    return ["\(count) books to \(call.text("shelf") ?? "")\(after)\(dry)"]
  }

  private func lose(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    switch call.text("way") {
    case "failure": throw Command.Failure("Nothing is lost. Look again.")
    case "invalid": throw Refusal.invalid("book", "error.required")
    case "conflict": throw Refusal.conflict("title")
    default: throw DecodingFailure()
    }
  }
}
