/// A path of a module with its handlers by method. The portal answers other methods with 405.
public struct Route: Sendable {
  /// Handles one request. Throws errors, usually a ``Refusal``.
  public typealias Handler = @Sendable (Context) throws -> Response

  /// The path below the module's own; `{name}` matches one segment, `{name}.ics` one with that
  /// ending.
  public let pattern: String
  /// The visitors who may use the route. The portal refuses all others before it calls the handler.
  public let access: Access
  /// The handler of the route.
  package let answer: Answer
  /// True if a script sends the requests, even without a user present; they do not extend the
  /// session.
  package private(set) var isUnattended = false
  /// The query fields that are kept while the visitor signs in.
  package private(set) var keptFields: [String] = []
  /// The link target on the error page of a refusal; nil leads to the first page.
  package private(set) var wayBack: Path?
  /// Returns the page below whose navigation entry the route's pages belong; nil for the nearest
  /// one.
  package private(set) var area: (@Sendable (Context) throws -> Path)?
  /// The title of the page in links that lead back to it; nil for "Back".
  package private(set) var linkTitle: Text?
  /// The notice above the page that follows a change; nil for none.
  package private(set) var outcome: Text?

  /// The part of the module that guardians use here; nil for that of the module.
  package private(set) var guardianAccess: GuardianAccess?

  /// True if everyone may look at the route's pages; only what it receives requires its access.
  package private(set) var isReadableByEveryone = false

  /// True if the route changes something, so that its form is for those who may send it.
  package var changes: Bool { if case .get = answer { false } else { true } }

  /// The handler of a route.
  package enum Answer: Sendable {
    /// A page.
    case get(Handler)
    /// A button without further fields.
    case post(Handler)
    /// A button without further fields that makes one change in a transaction and leads to the
    /// returned path.
    case change(@Sendable (Context) throws -> Path)
    /// A page with a form, and its submission.
    case form(any FormAnswer)
  }

  package init(_ path: Path, access: Access, answer: Answer) {
    pattern = path.description
    self.access = access
    self.answer = answer
  }

  /// Returns a route with a page.
  public static func get(
    _ path: Path, access: Access = .signedIn, _ handler: @escaping Handler
  ) -> Route {
    Route(path, access: access, answer: .get(handler))
  }

  /// Returns a route for a button without further fields: it changes something and leads to a page.
  public static func post(
    _ path: Path, access: Access = .signedIn, _ handler: @escaping Handler
  ) -> Route {
    Route(path, access: access, answer: .post(handler))
  }

  /// Returns a route for a button that makes one change. `save` returns the path of the next page.
  ///
  /// The transaction of `save` also stores that path. The change is therefore made only once, even
  /// if the button is pressed again or a process crashes.
  public static func post(
    _ path: Path, access: Access = .signedIn,
    save: @escaping @Sendable (Context) throws -> Path
  ) -> Route {
    Route(path, access: access, answer: .change(save))
  }

  /// Returns this route, with query fields that are kept while the visitor signs in. Each is kept
  /// only if all fields before it were sent.
  ///
  /// The fields hold choices made on a public page. They must never hold typed text.
  public func keeping(_ fields: String...) -> Route {
    var route = self
    route.keptFields = fields
    return route
  }

  /// Returns this route with a link to `path`, relative to the module, on the error page of a
  /// refusal.
  public func leadingBack(to path: Path) -> Route {
    var route = self
    route.wayBack = path
    return route
  }

  /// Returns this route, whose pages belong below the navigation entry of `area`, relative to the
  /// module. See ``Page/area``.
  public func marking(_ area: Path) -> Route { marking(by: { _ in area }) }

  /// Returns this route, whose pages belong below the navigation entry that `area` returns for the
  /// visitor.
  public func marking(by area: @escaping @Sendable (Context) throws -> Path) -> Route {
    var route = self
    route.area = area
    return route
  }

  /// Returns this route, whose page has this title in links that lead back to it; see
  /// ``Page/back``.
  public func titled(_ title: Text?) -> Route {
    var route = self
    route.linkTitle = title
    return route
  }

  /// Returns this route with another use by guardians than that of its module.
  public func forGuardians(_ access: GuardianAccess) -> Route {
    var route = self
    route.guardianAccess = access
    return route
  }

  /// Returns this route, whose change is confirmed by a notice above the page that follows.
  ///
  /// The notice is shown once; see ``Response/saying(_:)``. A form with the button "Save" says
  /// "Saved" by default. Pass nil if the next page tells of the change itself.
  public func saying(_ outcome: Text?) -> Route {
    var route = self
    route.outcome = outcome
    return route
  }

  /// The words for a guardian's change in the access log of the person in care; nil if the route
  /// stores nothing that lasts.
  package var change: Text? {
    if let outcome, outcome != "form.saved" { return outcome }
    if case .form(let form) = answer { return form.change }
    return "log.changed"
  }

  /// Returns the response to a sent form, which carries the route's outcome to the next page. A
  /// form that was cancelled has no outcome.
  package func confirming(_ response: Response, to request: Request) -> Response {
    guard let outcome, response.location != nil, !request.fields.contains("cancel"),
      request.fields["discard"] != "yes"
    else { return response }
    return response.saying(outcome)
  }

  /// This route, whose pages everyone may look at. A form that a visitor sends without being signed
  /// in gets the sign-in page.
  ///
  /// A page that needs the visitor's own data asks to sign in by itself: ``Work/keys`` throws
  /// ``Refusal/signedOut``.
  public var readableByEveryone: Route {
    var route = self
    route.isReadableByEveryone = true
    return route
  }

  /// Returns true if a request with this method needs no session in a module with these settings.
  package func isOpen(to method: Request.Method, under settings: Portal.Settings) -> Bool {
    access.isOpen(under: settings) || isReadableByEveryone && method == .get
  }

  /// This route, called by a script without user activity.
  package var unattended: Route {
    var route = self
    route.isUnattended = true
    return route
  }

  /// The maximum size of all uploaded files together in bytes; 0 if the route accepts none.
  package var fileLimit: Int { if case .form(let form) = answer { form.fileLimit } else { 0 } }

  /// The methods that the route handles.
  public var methods: [Request.Method] {
    switch answer {
    case .get: [.get]
    case .post, .change: [.post]
    case .form: [.get, .post]
    }
  }
}

/// The untyped interface of a form's page for the request pipeline.
package protocol FormAnswer: Sendable {
  /// The maximum size of all uploaded files together in bytes; 0 if the form accepts none.
  var fileLimit: Int { get }
  /// The words for a sent form in an access log; nil if it stores nothing that lasts.
  var change: Text? { get }
  /// Returns the page with the form.
  func show(_ context: Context) throws -> Response
  /// Handles the submitted form.
  func submit(_ context: Context) throws -> Response
  /// Returns the page with the form as it was sent, and the reason why nothing was saved.
  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response
  /// Returns the fields that may be kept while the visitor signs in again; never a password.
  func carried(_ sent: Fields) -> Fields
  /// Returns the label of a field into which the visitor writes; nil for any other.
  func label(of field: String) -> Text?
}

extension FormAnswer {
  /// By default, the form accepts no files.
  package var fileLimit: Int { 0 }

  /// By default, no field has a label.
  package func label(of field: String) -> Text? { nil }

  /// By default, an access log has general words.
  package var change: Text? { "log.changed" }
}
