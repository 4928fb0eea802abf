/// One request's world, which all that answer it share.
public final class Context {
  /// What there is without a request, too.
  public let portal: Portal
  /// The module whose page it is.
  public let module: ModuleID
  /// What was asked for.
  public let request: Request
  /// The visitor's language.
  public let language: Language
  /// Formats of the visitor's language, with clocks of the clinic's time zone.
  public let formats: Formats
  /// Who signed in; nil where nobody did.
  public let visitor: Visitor?
  private let personKeys: Keys?
  /// What the server keeps for this request's forms.
  package let submissions: any Submissions

  /// Made by the portal for each request.
  public init(
    portal: Portal, module: ModuleID, request: Request, language: Language, formats: Formats,
    visitor: Visitor?, keys: Keys?, submissions: any Submissions
  ) {
    self.portal = portal
    self.module = module
    self.request = request
    self.language = language
    self.formats = formats
    self.visitor = visitor
    personKeys = keys
    self.submissions = submissions
  }

  /// The portal's database, which is written to only while the visitor may.
  public var database: VisitorDatabase {
    VisitorDatabase(database: portal.database, submissions: submissions)
  }
  /// The moment that holds for the portal; tests set it.
  public var now: Instant { portal.now }

  /// The keys of the person whom the page is about; throws ``Refusal/signedOut`` where nobody signed in.
  public var keys: Keys {
    get throws {
      guard let personKeys else { throw Refusal.signedOut }
      return personKeys
    }
  }

  /// Who signed in; throws ``Refusal/signedOut`` where nobody did.
  public func signedIn() throws -> Visitor {
    guard let visitor else { throw Refusal.signedOut }
    return visitor
  }

  /// The sentence in the visitor's language.
  public func text(_ text: Text) -> String { portal.string(text, in: language) }

  /// The sentence with its placeholders filled.
  public func text(_ text: Text, _ arguments: [String: String]) -> String {
    var text = text
    text.arguments = arguments
    return portal.string(text, in: language)
  }

  /// The sentence in the plural form that the language has for this number.
  public func text(_ text: Text, count: Int) -> String {
    var text = text
    text.count = count
    return portal.string(text, in: language)
  }

  /// A file of the visitor's own data, written while it is sent, and all of it from one state of the
  /// data; throws ``Refusal/signedOut`` where nobody signed in.
  public func download(
    type: StaticString, as name: String, _ content: @escaping ExportFile.Content
  ) throws -> Response {
    let (keys, database) = (try keys, portal.database)
    return .download(type: type, as: name) { sink in
      try database.read { try content(keys, $0, sink) }
    }
  }

  /// Today where the clinic is.
  public var today: CalendarDate { formats.day(of: now) }

  /// The `{id}` of the path; throws ``Refusal/notFound`` when it is not a decimal integer.
  public func id<Record>() throws -> ID<Record> {
    guard let id = request.parameters["id"].flatMap(ID<Record>.init) else { throw Refusal.notFound }
    return id
  }

  /// A bare button: a form of its own that sends nothing but the wish.
  public func button(_ label: Text, posts path: Path, style: StaticString = "button") -> HTML {
    """
    <form method="post" action="\(path)" class="inline">\(hiddenFields())\
    <button class="\(style)">\(text(label))</button></form>
    """
  }

  /// The address of a file in `www`, such as `flags/ru.png`, with its content's hash in the name.
  public func asset(_ name: String) -> Path { submissions.asset(name) }

  /// The bytes of a file in `www`; nil for one that is not there.
  public func content(ofAsset name: String) -> [UInt8]? { submissions.content(ofAsset: name) }

  /// What this browser keeps for the module under a name: a choice of somebody who has not signed in.
  /// Nil for nothing, and for what is not a word of letters, digits, dots and hyphens.
  public func keptInBrowser(_ name: StaticString) -> String? {
    submissions.keptInBrowser(name.description, of: module).flatMap {
      Self.isKeepable($0) ? $0 : nil
    }
  }

  /// Has the browser keep a word of letters, digits, dots and hyphens for a year: nothing that is secret
  /// or says something of a person. Any other value is not kept.
  public func keepInBrowser(_ value: String, as name: StaticString) {
    guard Self.isKeepable(value) else { return }
    submissions.keepInBrowser(value, as: name.description, of: module)
  }

  private static func isKeepable(_ value: String) -> Bool {
    (1...64).contains(value.utf8.count)
      && value.utf8.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }
  }

  /// What every form that changes something carries: the anti-forgery token, a mark that recognises
  /// a second sending, and the person it was shown to.
  public func hiddenFields() -> HTML { hiddenFields(once: submissions.once) }

  /// The names of what forms carry along beside what is typed.
  static let hiddenNames: Set = ["csrf", "once", "person", personName]
  /// The name of the person the form was shown to, in case it is sent from somebody else's session.
  package static let personName = "person_name"

  func hiddenFields(once: String) -> HTML {
    """
    <input type="hidden" name="csrf" value="\(submissions.antiForgeryToken)">\
    <input type="hidden" name="once" value="\(once)">\
    \(visitor.map { "<input type=\"hidden\" name=\"person\" value=\"\($0.person)\">" })
    """
  }
}

extension Context {
  /// Where this very form, sent before, led to; nil when it was not.
  ///
  /// Asked before anything else: what the form was about may be gone by now, as a one-time link is.
  package func earlierAnswer() throws -> Path? {
    let isKnown = try database.read {
      try submissions.isAnswered(request.fields, of: request, on: $0)
    }
    guard isKnown else { return nil }
    return try portal.database.write {
      try submissions.earlierAnswer(to: request.fields, of: request, on: $0)
    }
  }

  /// Keeps where a bare button led to, so that pressing it twice leads there twice.
  package func remember(_ answer: Response) throws {
    guard let path = answer.location, !request.fields["once"].isEmpty else { return }
    try portal.database.write {
      try submissions.remember(path, to: request.fields, of: request, on: $0)
    }
  }

  /// Makes a change in one transaction and leads where it says; the same button pressed again leads to
  /// the same place.
  package func answerOnce(_ save: (Context, Connection) throws -> Path) throws -> Response {
    try answeringOnce { .redirect(to: try save(self, $0).resolved(in: module)) }
  }

  /// Runs `body` in one transaction and keeps where it leads to, so that the same form sent again, or
  /// at the same time, is not taken twice.
  func answeringOnce(_ body: (Connection) throws -> Response) throws -> Response {
    try database.write { connection in
      if let earlier = try submissions.earlierAnswer(
        to: request.fields, of: request, on: connection)
      {
        return .redirect(to: earlier)
      }
      let answer = try body(connection)
      if let path = answer.location {
        try submissions.remember(path, to: request.fields, of: request, on: connection)
      }
      return answer
    }
  }
}

/// What the server keeps for forms: tokens against forgery, and answers already given.
public protocol Submissions: AnyObject {
  /// Bound to the session; differs in each answer.
  var antiForgeryToken: String { get }
  /// What was typed into this form before the visitor had to sign in again; there until the form is
  /// saved or left.
  func carriedFields() throws -> Fields?
  /// Throws ``Refusal/signedOut`` where the visitor's session has ended since the request came in, or the
  /// account is suspended, and ``Refusal/forbidden`` where a role was taken.
  func confirmVisitor(on connection: Connection) throws
  /// Counts what the visitor's transaction has written towards what one person may store. Throws
  /// ``Refusal/conflict(_:)`` where that is more than there is room for.
  func charge(_ written: StorageUse, on connection: Connection) throws
  /// Runs `body`, which takes apart a file of so many bytes. Throws where this process takes apart another
  /// large one for longer than `body` can wait.
  func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value
  /// The visitor has left the form.
  func forgetCarriedFields() throws
  /// Where a file of `www` is served, with its content's hash in the name.
  func asset(_ name: String) -> Path
  /// The bytes of a file of `www`; nil for one that is not there.
  func content(ofAsset name: String) -> [UInt8]?
  /// What the browser keeps for a module under a name; nil for nothing.
  func keptInBrowser(_ name: String, of module: ModuleID) -> String?
  /// Has the browser keep a value for a module for a year.
  func keepInBrowser(_ value: String, as name: String, of module: ModuleID)
  /// A token for the forms of this answer, each of which is taken once.
  var once: String { get }
  /// Whether the same form was sent before.
  func isAnswered(_ fields: Fields, of request: Request, on connection: Connection) throws -> Bool
  /// Where the same form, sent before, led to; nil when it was not. Signs in again whom it signed in.
  func earlierAnswer(to fields: Fields, of request: Request, on connection: Connection) throws
    -> Path?
  /// Keeps where this form led to, in the transaction that saved it.
  func remember(_ answer: Path, to fields: Fields, of request: Request, on connection: Connection)
    throws
}
