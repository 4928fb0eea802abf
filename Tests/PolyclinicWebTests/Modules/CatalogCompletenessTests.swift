import Foundation
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicCore
@testable import PolyclinicPortal
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// Completeness of the catalogs: every key in the sources has a phrase, and every phrase is used.
struct CatalogCompletenessTests {
  /// Folders below `Sources`, each with the catalogs that its sources may use.
  private static let rooms: [(folder: String, catalogs: [Catalog])] = [
    ("PolyclinicCore", [.shared]),
    ("PolyclinicWeb/Admission", [.shared, .server]),
    ("PolyclinicWeb/Framing", [.shared, .server]),
    ("PolyclinicWeb/Handling", [.shared, .server]),
    ("PolyclinicWeb/Sessions", [.shared, .server, .accounts]),
    ("PolyclinicVault", [.shared, .server, .accounts]),
    ("PolyclinicPortal/Accounts", [.shared, .server, .accounts]),
    ("PolyclinicPortal/Dashboard", [.shared, .server, .dashboard, .accounts]),
  ]

  private static let catalogs: [(name: String, catalog: Catalog)] = [
    ("shared", .shared), ("server", .server), ("accounts", .accounts), ("dashboard", .dashboard),
  ]

  @Test(arguments: catalogs.indices)
  func `a catalog has the same keys and placeholders in every language`(_ index: Int) {
    #expect(Self.catalogs[index].catalog.differences() == [])
  }

  @Test(arguments: rooms.indices)
  func `every key in the sources has a phrase`(_ index: Int) throws {
    let room = Self.rooms[index]
    let said = try Self.keys(in: room.catalogs)
    let asked = try SourceText(below: "Sources/" + room.folder).keys
    #expect(!said.isEmpty)
    #expect(asked.subtracting(said).subtracting(try Self.columns).sorted() == [])
  }

  /// Names of table columns, which look like keys in declarations.
  private static var columns: [String] {
    get throws {
      let portal = try TestPortal()
      let tables = try portal.database.read { try portal.database.tables(on: $0) }
      return tables.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } }
    }
  }

  @Test func `every field, hint, choice, password problem and passkey fault has a phrase`() throws {
    let said = try Self.keys(in: [.shared, .server, .accounts])
    let controls =
      Registration.fields([], .required, needing: []).singles.map(\.control)
      + PasswordChange.form.singles.map(\.control)
      + NewToken.fields([]).singles.map(\.control)
    let texts = controls.flatMap { [$0.label, $0.hint].compactMap { $0?.key } }
    let choices =
      Registration.WantedRole.allCases.map { "role.\($0.rawValue)" }
      + Role.allCases.map { "role.\($0.rawValue)" }
      + ["female", "male", "other"].map { "sex.\($0)" }
      + NewToken.Lifetime.allCases.map { "lifetime.\($0.rawValue)" }
      + AccessToken.Scope.allCases.map { "tokens.scope.\($0.rawValue)" }
      + AccessReason.allCases.map { "access.reason.\($0.rawValue)" }
    let problems =
      PasswordPolicy.Problem.allCases.map { $0.text().key } + PasskeyFault.allCases.map(\.text.key)
    #expect(Set(texts + choices + problems).subtracting(said).sorted() == [])
  }

  @Test(arguments: [400, 401, 403, 404, 405, 409, 413, 414, 415, 421, 422, 429, 500, 503])
  func `every error status has a title and a text`(_ status: Int) throws {
    let said = try Self.keys(in: [.shared, .server])
    #expect(said.isSuperset(of: ["error.\(status).title", "error.\(status).text"]))
  }

  @Test(arguments: [
    400, 401, 403, 404, 405, 409, 412, 413, 414, 415, 421, 422, 428, 429, 500, 503,
  ]) func `every API error status has a text`(_ status: Int) throws {
    #expect(try Self.keys(in: [.server]).contains("problem.\(status)"))
  }

  @Test(arguments: catalogs.indices)
  func `every phrase in a catalog is used in the sources`(_ index: Int) throws {
    let (name, catalog) = Self.catalogs[index]
    let asked = try Self.asked.get()
    let unused = try Self.keys(in: [catalog]).subtracting(asked).filter { !Self.isComputed($0) }
    #expect(unused.sorted() == [], "the catalog “\(name)”")
  }

  @Test func `the search finds literal keys and skips columns, files and interpolations`() {
    let source = SourceText(
      #"""
      \(context.text("list.empty")) \(context.text(Text("role.\(role)")))
      SealedColumn("contacts.sealed", form), scripts: ["rows.js"], as: "sessions.device"
      case tooShort = "password.too-short"
      """#)
    #expect(source.keys == ["list.empty", "password.too-short"])
  }

  /// All keys in the sources, which are read once.
  private static let asked = Result {
    try SourceText(below: "Sources").keys.union(SourceText(below: "Plugins").keys)
  }

  /// Returns true for a key that the sources build at run time, so that no literal holds it.
  private static func isComputed(_ key: String) -> Bool {
    let prefixes = [
      "document.", "field.", "role.", "sex.", "approval.", "access.reason.", "welcome.",
      "tokens.scope.", "lifetime.", "told.", "access.", "passkeys.error.", "scope.",
      "guardians.reason.", "error.403.guardian.", "frame.text-",
    ]
    return prefixes.contains(where: key.hasPrefix)
      || key.hasPrefix("sharing.") && key.hasSuffix(".other")
      || key.wholeMatch(of: /error\.\d{3}\.(title|text|nginx)/) != nil
      || key.wholeMatch(of: /problem\.\d{3}(\.nginx)?/) != nil
  }

  private static func keys(in catalogs: [Catalog]) throws -> Set<String> {
    var keys: Set<String> = []
    for catalog in catalogs { keys.formUnion(try catalog.phrases(in: .english).keys) }
    return keys
  }
}

/// The catalog keys in Swift sources: string literals of words joined by full stops.
private struct SourceText {
  let keys: Set<String>

  init(_ text: String) {
    let literals = text.matches(of: /(SealedColumn\(|as: )?"([a-z][a-z0-9-]*(?:\.[a-z0-9_-]+)+)"/)
    keys = Set(literals.filter { $0.1 == nil && !Self.isFile($0.2) }.map { String($0.2) })
  }

  /// Reads all sources below a folder of the package, without lines of comments.
  init(below folder: String) throws {
    let root = Checkout.file(folder)
    let lines = try FileManager.default.subpathsOfDirectory(atPath: root)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: root + "/" + $0, encoding: .utf8) }
      .flatMap { $0.split(separator: "\n") }
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    self.init(lines.joined(separator: "\n"))
  }

  private static func isFile(_ name: Substring) -> Bool {
    let endings = ["css", "ico", "js", "json", "key", "php", "png", "sqlite", "svg", "txt", "yaml"]
    return name.split(separator: ".").last.map { endings.contains(String($0)) } ?? false
  }
}
