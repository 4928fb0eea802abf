/// Who may use a route.
public enum Access: Sendable, Equatable {
  /// Also those who have not signed in.
  case everyone
  /// Those who have signed in, and where the module's boolean setting of this name is true, everybody.
  case everyoneWhere(String)
  /// Whoever has signed in.
  case signedIn
  /// Those who have this role.
  case role(Role)

  /// True where nobody has to sign in, in a module with these settings.
  package func isOpen(under settings: Settings) -> Bool {
    switch self {
    case .everyone: true
    case .everyoneWhere(let key): settings[key] == .boolean(true)
    case .signedIn, .role: false
    }
  }

  /// Whether somebody who signed in is let through.
  public func includes(_ visitor: Visitor) -> Bool {
    switch self {
    case .everyone, .everyoneWhere, .signedIn: true
    case .role(let role): visitor.roles.contains(role)
    }
  }
}

/// What somebody may do beyond what everyone who signed in may: be a patient.
public enum Role: String, Sendable, CaseIterable {
  /// Everyone who has signed in.
  case patient
  /// Treats patients; an administrator has approved it.
  case doctor
  /// Works at the desk of a clinic.
  case receptionist
  /// Looks after the portal: people, roles, modules.
  case administrator
}

/// An address of a module and what it answers, by method; any other method is 405 by itself.
public struct Route: Sendable {
  /// Answers one request; what goes wrong is thrown, most often as a ``Refusal``.
  public typealias Handler = @Sendable (Context) throws -> Response

  /// The path below the module's own; `{name}` stands for one segment, `{name}.ics` for one that ends so.
  public let pattern: String
  /// Who may use it; the portal refuses all others before the handler is called.
  public let access: Access
  /// What answers it.
  public let answer: Answer
  /// Whether a script asks for it, also while nobody is there: that keeps no session alive.
  package private(set) var isUnattended = false
  /// The fields that somebody who has to sign in first brings back.
  package private(set) var keptFields: [String] = []
  /// Where the page leads that says why it was refused; nil for the first page alone.
  package private(set) var wayBack: Path?

  /// How a route answers.
  public enum Answer: Sendable {
    /// A page.
    case get(Handler)
    /// A bare button.
    case post(Handler)
    /// A bare button whose work is one change of what is stored; leads where it says.
    case change(@Sendable (Context, Connection) throws -> Path)
    /// A page with a form, and what happens when it is sent.
    case form(any FormAnswer)
  }

  package init(_ pattern: StaticString, access: Access, answer: Answer) {
    self.init(pattern.description, access, answer)
  }

  init(_ pattern: String, _ access: Access, _ answer: Answer) {
    self.pattern = pattern
    self.access = access
    self.answer = answer
  }

  /// A page.
  public static func get(
    _ path: StaticString, access: Access = .signedIn, _ handler: @escaping Handler
  ) -> Route {
    Route(path, access: access, answer: .get(handler))
  }

  /// A bare button: it changes something, and leads to a page.
  public static func post(
    _ path: StaticString, access: Access = .signedIn, _ handler: @escaping Handler
  ) -> Route {
    Route(path, access: access, answer: .post(handler))
  }

  /// A bare button whose work is one change: `save` runs in a transaction, in which also stands where it
  /// leads to. So it is done once, however often the button is pressed, and whatever dies meanwhile.
  public static func post(
    _ path: StaticString, access: Access = .signedIn,
    save: @escaping @Sendable (Context, Connection) throws -> Path
  ) -> Route {
    Route(path, access: access, answer: .change(save))
  }

  /// This route, to which those who have to sign in first come back with these fields in the query,
  /// each only where all before it are there. They say what was chosen on a page that everybody may
  /// see, and never hold a word that somebody typed.
  public func keeping(_ fields: String...) -> Route {
    var route = self
    route.keptFields = fields
    return route
  }

  /// This route, whose refusals lead back to `path`, relative to the module: to what was to be changed.
  public func leadingBack(to path: Path) -> Route {
    var route = self
    route.wayBack = path
    return route
  }

  /// This route, asked for by a script that nobody has to be there for.
  package var unattended: Route {
    var route = self
    route.isUnattended = true
    return route
  }

  /// The most bytes that the files which are sent to it may have; 0 where it takes none.
  package var fileLimit: Int { if case .form(let form) = answer { form.fileLimit } else { 0 } }

  /// The methods that it answers.
  public var methods: [Request.Method] {
    switch answer {
    case .get: [.get]
    case .post, .change: [.post]
    case .form: [.get, .post]
    }
  }
}

/// A form's page as the pipeline sees it.
public protocol FormAnswer: Sendable {
  /// The most bytes that the files which come with it may have; 0 where none come.
  var fileLimit: Int { get }
  /// The page with the form.
  func show(_ context: Context) throws -> Response
  /// Takes what was sent.
  func submit(_ context: Context) throws -> Response
  /// The page with the form as it was sent, and why nothing was saved.
  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response
  /// The fields that may be kept while the visitor signs in again; never a password.
  func carried(_ sent: Fields) -> Fields
}

extension FormAnswer {
  /// No files.
  public var fileLimit: Int { 0 }
}
