import Foundation
import PolyclinicCore

/// A note, whose table has one migration more with each release.
enum Note {
  /// The number of the release: the tests append it to the program. 0 if there is none.
  private static let release: Int = {
    let program = FileManager.default.contents(atPath: "/proc/self/exe") ?? Data()
    let end = String(decoding: program.suffix(24), as: UTF8.self)
    let words = end.split(separator: "\n").last?.split(separator: " ") ?? []
    return words.starts(with: ["polyclinic", "release"]) ? words.last.flatMap { Int($0) } ?? 0 : 0
  }()

  /// The migrations of this release. The third one breaks the release before it.
  static var migrations: [Migration] {
    Array(
      [
        Migration("0001-notes", "CREATE TABLE faulty_notes (text TEXT NOT NULL) \(.strict)"),
        Migration("0002-colour", "ALTER TABLE faulty_notes ADD COLUMN colour TEXT"),
        Migration("0003-words", "ALTER TABLE faulty_notes RENAME COLUMN text TO words"),
      ].prefix(max(1, release)))
  }

  /// Adds a note, and answers with all of them.
  @Sendable
  static func add(_ context: Context) throws -> Response {
    let text = "by \(release)"
    let notes = try context.write { context in
      if release < 2 {
        try context.run("INSERT INTO faulty_notes (text) VALUES (\(text))")
        return try context.rows("SELECT text FROM faulty_notes") { "\($0.string(0)): none\n" }
      }
      try context.run("INSERT INTO faulty_notes (text, colour) VALUES (\(text), 'blue')")
      return try context.rows("SELECT text, coalesce(colour, 'none') FROM faulty_notes") {
        "\($0.string(0)): \($0.string(1))\n"
      }
    }
    return .text(notes.joined())
  }
}
