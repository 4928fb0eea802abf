/// The work of one request, in the snapshot of the database that its page shows, or in the
/// transaction of its change.
public final class Context: Work {
  /// The parts of the portal that are also available outside requests.
  public let portal: Portal
  /// The module that handles the request.
  public let module: ModuleID
  /// The request being handled.
  public let request: Request
  /// The visitor's language.
  public let language: Language
  /// Formats for the visitor's language and the clinic's time zone.
  public let formats: Formats
  /// The result of the checks that admitted the request.
  package let admission: any Admission

  /// Creates the context; the portal does this for each request.
  package init(
    portal: Portal, module: ModuleID, request: Request, language: Language,
    formats: Formats,
    visitor: Visitor?, keys: Keys?, admission: any Admission, on snapshot: Connection
  ) {
    self.portal = portal
    self.module = module
    self.request = request
    self.language = language
    self.formats = formats
    self.admission = admission
    let now = portal.now
    super.init(Work(visitor: visitor, at: now, on: snapshot), keys: keys, at: now)
    readRows.isKeeping = request.method == .get
  }

  /// Creates the context of the same request for a part that another module adds to its page.
  package init(_ context: Context, in module: ModuleID, of portal: Portal) {
    self.portal = portal
    self.module = module
    request = context.request
    language = context.language
    formats = context.formats
    admission = context.admission
    super.init(context, keys: context.personKeys, at: context.now)
  }

  /// Creates the context of the same request for a part about a person for whom the visitor acts.
  package init(_ context: Context, for inCare: PersonInCare, by keys: Keys) {
    portal = context.portal
    module = context.module
    request = context.request
    language = context.language
    formats = context.formats
    admission = context.admission
    super.init(
      Work(visitor: context.visitor?.acting(for: inCare), at: context.now, on: context),
      keys: keys, at: context.now)
  }

  /// Creates the context of the same request in another transaction.
  init(_ context: Context, on connection: Connection) {
    portal = context.portal
    module = context.module
    request = context.request
    language = context.language
    formats = context.formats
    admission = context.admission
    super.init(
      Work(visitor: context.visitor, at: context.now, on: connection),
      keys: context.personKeys, at: context.now)
  }

  /// Returns the sentence in the visitor's language.
  public func text(_ text: Text) -> String { portal.string(text, in: language) }

  /// Returns the sentence in the visitor's language, with its placeholders filled in.
  public func text(_ text: Text, _ arguments: [String: String]) -> String {
    var text = text
    text.arguments = arguments
    return portal.string(text, in: language)
  }

  /// Returns the sentence in the visitor's language, in the plural form for `count`.
  public func text(_ text: Text, count: Int) -> String {
    var text = text
    text.count = count
    return portal.string(text, in: language)
  }

  /// Returns a download of the visitor's own data that is written while it is sent.
  ///
  /// All of it comes from one snapshot of the database. Throws ``Refusal/signedOut`` if the visitor
  /// has not signed in.
  public func download(
    type: StaticString, as name: String, _ content: @escaping ExportFile.Content
  ) throws -> Response {
    let (keys, portal) = (try keys, portal)
    return .download(type: type, as: name) { sink in
      try portal.read { try content($0.with(keys), sink) }
    }
  }

  /// The current date in the clinic's time zone.
  public var today: CalendarDate { formats.day(of: now) }

  /// Returns the `{id}` of the path; throws ``Refusal/notFound`` if it is not a decimal integer.
  public func id<Record>() throws -> ID<Record> { try value("id") }

  /// Returns a value of the path, such as `{day}` as a ``CalendarDate``; throws
  /// ``Refusal/notFound`` if it is none.
  ///
  /// ```swift
  /// let day: CalendarDate = try context.value("day")
  /// ```
  public func value<Value: LosslessStringConvertible>(_ name: String) throws -> Value {
    guard let value = request.parameters[name].flatMap(Value.init) else { throw Refusal.notFound }
    return value
  }

  /// Returns the address of a file in `www`, such as `flags/ru.png`, with its content's hash in the
  /// name.
  public func asset(_ name: String) -> Path { portal.assets.path(of: name) }

  /// Returns the bytes of a file in `www`; nil if there is no such file.
  public func content(ofAsset name: String) -> [UInt8]? { portal.assets.content(of: name) }

  /// Returns the module's value in this browser, such as a choice made before signing in.
  ///
  /// ``Response/keeping(_:inBrowserOf:as:)`` stores it. Nil if there is none or if it contains
  /// anything but letters, digits, dots and hyphens.
  public func keptInBrowser(_ name: StaticString) -> String? {
    request.client.cookie(Client.name(name.description, of: module)).flatMap {
      Client.isKeepable($0) ? $0 : nil
    }
  }

  /// Returns the hidden fields of every form that makes a change:
  ///
  /// - the anti-forgery token,
  /// - the idempotency key, which detects a second submission,
  /// - the person to whom the form was shown.
  public func hiddenFields() -> HTML { hiddenFields(once: admission.idempotencyKey) }

  /// The names of the hidden fields.
  static let hiddenNames: Set = ["csrf", "once", "person", personName]
  /// The name of the person to whom the form was shown, for a submission from another person's
  /// session.
  package static let personName = "person_name"

  func hiddenFields(once: String) -> HTML {
    """
    <input type="hidden" name="csrf" value="\(admission.antiForgeryToken)">\
    <input type="hidden" name="once" value="\(once)">\
    \(visitor.map {
      "<input type=\"hidden\" name=\"person\" value=\"\($0.inCare?.person ?? $0.person)\">"
    })
    """
  }
}
