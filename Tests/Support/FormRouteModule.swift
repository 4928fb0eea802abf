import PolyclinicCore
import PolyclinicTesting
import Synchronization

/// A test module with a form: each person keeps any number of notes.
package struct NotesModule: Module {
  package let id: ModuleID = "notes"
  package let seen = Seen()
  package var title: Text { "title" }
  package var catalog: Catalog {
    let words = Array(
      """
      {"title": "Notes", "new.title": "New note", "edit.title": "Change note", "show.title": "Note",
       "field.topic": "Topic", "field.body": "Body", "field.secret": "Secret",
       "field.line": "Lines",
       "field.line_text": "Line", "field.line.add": "Add a line", "field.place": "Place",
       "place.here": "Here", "refused": "The word says no", "busy": "The desk is taken",
       "hint": "In a few words", "privacy.notes": "Notes", "delete.title": "Delete?",
       "card.title": "A card of notes", "pocket.title": "Pocket", "field.pocket": "What is in it",
       "pocket.full": "The pocket is full", "shelf.title": "Shelf", "field.shelf": "Which shelf",
       "shelf.high": "That shelf is too high"}
      """.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }
  package var personalData: PersonalData {
    PersonalData(
      .plain("privacy.notes", until: "privacy.until-deleted"), export: { _, _ in })
  }

  package var migrations: [Migration] {
    [
      Migration(
        "0001-notes",
        """
        CREATE TABLE notes (
          id_note \(.identity), person \(.person), topic TEXT NOT NULL, body TEXT NOT NULL,
          lines TEXT NOT NULL
        ) \(.strict)
        """,
        """
        CREATE TABLE notes_pockets (person \(.person), content TEXT NOT NULL, shelf TEXT NOT NULL)
        \(.strict)
        """)
    ]
  }

  package var routes: [Route] {
    [
      .get("") { _ in .page("title", "<p>all</p>") },
      .get("{id}") { context in
        let note = try Note(context)
        return .page("show.title", "<p>\(note.topic): \(note.body)</p>")
      },
      NewNote.route, NoteEdit.route, NoteDeletion.route,
      .post("touch") { _ in .redirect(to: "") },
      .get("fails") { _ in throw Mishap(quoted: "what somebody typed") },
      .get("refuses") { _ in throw Refusal.conflict("busy") },
      .get("waits") { _ in throw Refusal.tooMany(retryAfter: .seconds(7)) },
    ]
  }

  package var profileParts: [any ProfilePart] { [PocketPart(), ShelfPart()] }

  package var offers: [Offer] { [Offer(Seen.self, seen)] }

  package init() {}
}

/// A log of events inside the module, for tests to inspect.
package final class Seen: Sendable {
  private let log = Mutex<[String]>([])

  package init() {}

  package var events: [String] { log.withLock { $0 } }

  package func note(_ event: String) { log.withLock { $0.append(event) } }
}

/// An error whose text must not reach the user.
struct Mishap: Error, CustomStringConvertible {
  let quoted: String
  var description: String { quoted }
}

struct Note: Sendable {
  var topic = ""
  var body = ""
  var secret = ""
  var place = "here"
  var lines: [Line] = []

  struct Line: Sendable {
    var text = ""
    static let form = Form(Line(), .text(\.text, "text", required: true, limit: 10))
  }

  static let form = Form(
    Note(),
    .text(\.topic, "topic", required: true, limit: 20, hint: "hint"),
    .lines(\.body, "body"),
    .choice(\.place, "place") { _ in [Choice("here", .text("place.here"))] },
    .password(\.secret, "secret", autocomplete: "off"),
    .rows(\.lines, "line", limit: 3, of: Line.form))
}

extension Note {
  fileprivate init(_ context: Context) throws {
    let id: ID<Note> = try context.id()
    let note = try context.row(
      """
      SELECT topic, body, lines FROM notes
      WHERE id_note = \(id) AND person = \(try context.keys.person)
      """
    ) { row in
      Note(
        topic: row.string(0), body: row.string(1),
        lines: row.string(2).split(separator: "|").map { Note.Line(text: String($0)) })
    }
    guard let note else { throw Refusal.notFound }
    self = note
  }
}

private struct NewNote: RoutedForm {
  static let address: Address<Void> = "/notes/new"
  static let title: Text = "new.title"
  static let form = Note.form
  static let cancel: Path = "/notes"
  static let preparesOnce = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  var instead: [Choice] {
    get throws {
      if context.request.fields["body"] == "closed" { throw Refusal.invalid("topic", "refused") }
      return []
    }
  }

  func prepare(_ note: inout Note, in context: Context) throws {
    // This write would fail inside an open transaction.
    try context.write { _ in }
    context.portal.find(Seen.self)?.note("prepared")
    let person = try context.keys.person
    try context.portal.write { work in
      switch note.topic {
      case "sign out": try work.run("DELETE FROM sessions WHERE person = \(person)")
      case "suspend":
        try work.run("UPDATE accounts SET state = 'suspended' WHERE person = \(person)")
      case "demote": try work.run("UPDATE accounts SET roles = '' WHERE person = \(person)")
      default: break
      }
    }
  }

  func save(_ note: Note, in context: Context) throws -> Redirect {
    let id: ID<Note> = try context.insert(
      """
      INSERT INTO notes (person, topic, body, lines)
      VALUES (\(try context.keys.person), \(note.topic), \(note.body),
        \(note.lines.map(\.text).joined(separator: "|")))
      """)
    switch note.topic {
    case "refuse": throw Refusal.invalid("topic", "refused")
    case "busy": throw Refusal.conflict("busy")
    case "later": throw Refusal.tooMany(retryAfter: .seconds(3))
    case "fail": throw Mishap(quoted: note.body)
    // A relative path belongs to the module.
    default: return Redirect(to: "\(id)")
    }
  }
}

private struct NoteEdit: RoutedForm {
  static let address: Address<ID<Note>> = "/notes/{id}/edit"
  static let title: Text = "edit.title"
  static let form = Note.form
  static let cancel: Path = "/notes/{id}"
  static let isVersioned = true

  let start: Note

  init(_ context: Context) throws { start = try Note(context) }

  func save(_ note: Note, in context: Context) throws -> Redirect {
    let id = try Self.address.value(in: context)
    try context.run(
      """
      UPDATE notes SET topic = \(note.topic), body = \(note.body),
        lines = \(note.lines.map(\.text).joined(separator: "|")) WHERE id_note = \(id)
      """)
    return Redirect(to: "/notes/\(id)")
  }
}

private struct NoteDeletion: RoutedForm {
  static let address: Address<ID<Note>> = "/notes/{id}/delete"
  static let title: Text = "delete.title"
  static let cancel: Path = "/notes/{id}"
  static let isQuestion = true

  let about: HTML? = "<p>Sure?</p>"

  init(_ context: Context) {}

  func save(_ draft: Void, in context: Context) throws -> Redirect {
    let id = try Self.address.value(in: context)
    let person = try context.keys.person
    let deleted = try context.runCounting(
      "DELETE FROM notes WHERE id_note = \(id) AND person = \(person)")
    if deleted == 0 { throw Refusal.notFound }
    return Redirect(to: "/notes")
  }
}

/// The module's part of the profile form.
struct PocketPart: ProfilePart {
  struct Draft: Sendable { var content = "" }

  var title: Text { "pocket.title" }
  var form: Form<Draft> { Form(Draft(), .text(\.content, "pocket")) }

  func load(in work: Work) throws -> Draft {
    let content = try work.row(
      "SELECT content FROM notes_pockets WHERE person = \(work.keys.person)"
    ) { $0.string(0) }
    return Draft(content: content ?? "")
  }

  func save(_ draft: Draft, in work: Work) throws {
    if draft.content == "stone" { throw Refusal.invalid("pocket", "pocket.full") }
    try work.run("DELETE FROM notes_pockets WHERE person = \(work.keys.person)")
    try work.run(
      """
      INSERT INTO notes_pockets (person, content, shelf)
      VALUES (\(work.keys.person), \(draft.content), '')
      """)
  }
}

/// The module's second part of the profile form, with a validation rule.
struct ShelfPart: ProfilePart {
  struct Draft: Sendable { var shelf = "" }

  var title: Text { "shelf.title" }
  var form: Form<Draft> {
    Form(Draft(), .text(\.shelf, "shelf")).requiring("shelf") {
      $0.shelf == "9" ? "shelf.high" : nil
    }
  }

  func load(in work: Work) throws -> Draft {
    let shelf = try work.row(
      "SELECT shelf FROM notes_pockets WHERE person = \(work.keys.person)"
    ) { $0.string(0) }
    return Draft(shelf: shelf ?? "")
  }

  func save(_ draft: Draft, in work: Work) throws {
    try work.run(
      "UPDATE notes_pockets SET shelf = \(draft.shelf) WHERE person = \(work.keys.person)")
  }
}

extension TestPortal {
  package func notes() throws -> [String] {
    try database.read {
      try $0.rows("SELECT topic FROM notes ORDER BY id_note") { $0.string(0) }
    }
  }
}

extension TestVisitor {
  /// Creates a note through the form and returns its path.
  package func note(_ topic: String, _ body: String = "") throws -> String {
    let answer = try submit("/notes/new", ["topic": topic, "body": body, "secret": "s"])
    guard answer.status == 303 else { throw Refusal.malformed }
    return answer.location
  }

  /// Returns the form's hidden fields without `line_row`, followed by `fields`.
  package func form(_ path: String, _ fields: [(String, String)]) -> [(String, String)] {
    get(path).hidden(of: path).filter { $0.0 != "line_row" } + fields
  }
}
