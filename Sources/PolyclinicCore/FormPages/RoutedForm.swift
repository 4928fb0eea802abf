/// A form at an address of its own, or a question with Yes and No.
///
/// The portal shows the form, parses it, shows it again with its errors, asks "Discard?" on Cancel,
/// and saves a form that is sent twice only once. The value is loaded again inside the transaction
/// that saves.
public protocol RoutedForm: Routed {
  /// The values of the fields; `Void` for a question without fields.
  associatedtype Draft: Sendable
  /// The title of the page.
  static var title: Text { get }
  /// The fields.
  static var form: Form<Draft> { get }
  /// The label of the button that saves; by default "Save", or "Yes" for a question.
  static var submit: Text { get }
  /// The label of a further button, which saves and opens the form once more; nil by default.
  static var again: Text? { get }
  /// The page to which Cancel leads; a value in it has that of the form's own address.
  static var cancel: Path { get }
  /// True for a question with Yes and No, whose fields are sent only with Yes; false by default.
  static var isQuestion: Bool { get }
  /// True if the form changes a stored record; false by default. One filled in from an outdated
  /// version is then not saved: the page shows the stored and the typed values instead.
  static var isVersioned: Bool { get }
  /// Returns the page to which the form leads back in place of ``cancel``, if the request names
  /// one; nil by default.
  static func origin(_ context: Context) throws -> Path?

  /// The response in place of the form, such as an earlier step; nil by default.
  var before: Response? { get throws }
  /// The initial values of the fields; by default those of a blank form.
  var start: Draft { get throws }
  /// The content above the fields; nil by default.
  var about: HTML? { get throws }
  /// The label of the button that leaves the form; by default "Cancel", or "No" for a question. One
  /// that names the outcome, such as "Keep the appointment", is clearer than either.
  var cancelLabel: Text { get throws }
  /// Returns the module's own page that contains the form's markup; by default nil, for a page with
  /// only the form.
  func page(around form: HTML) throws -> Page?
  /// The alternatives after ``save(_:in:)`` has thrown ``Refusal/conflict(_:)``; none by default.
  ///
  /// Each is a button that sends the form again with its value in the field `instead`. Throws
  /// ``Refusal/invalid(_:_:)`` if nothing can be chosen any more; the form then shows that reason.
  var instead: [Choice] { get throws }
  /// True if ``prepare(_:in:)`` is slow or has effects, such as counting a wrong password; false by
  /// default. It then does not run for a form that is sent again.
  static var preparesOnce: Bool { get }
  /// Prepares the draft before the transaction that saves; does nothing by default. Throws
  /// ``Refusal/invalid(_:_:)`` for a field that cannot be saved.
  func prepare(_ draft: inout Draft, in context: Context) throws
  /// Saves the draft inside the transaction, and returns the page that follows.
  func save(_ draft: Draft, in context: Context) throws -> Redirect
}

extension RoutedForm {
  public static var route: Route { Route(Self.self) }
  public static var submit: Text { isQuestion ? "form.yes" : "form.save" }
  public static var again: Text? { nil }
  public static var isQuestion: Bool { false }
  public static var isVersioned: Bool { false }
  public static var preparesOnce: Bool { false }
  public static func origin(_ context: Context) throws -> Path? { nil }
  public var before: Response? { get throws { nil } }
  public var start: Draft { get throws { Self.form.blank } }
  public var about: HTML? { get throws { nil } }
  public var cancelLabel: Text {
    get throws { (Self.isQuestion ? FormKind.question : .form).cancelLabel }
  }
  public func page(around form: HTML) throws -> Page? { nil }
  public var instead: [Choice] { get throws { [] } }
  public func prepare(_ draft: inout Draft, in context: Context) throws {}
}

extension RoutedForm where Draft == Void {
  public static var form: Form<Void> { Form(()) }
}

extension Route {
  /// Creates the route of a form; functions such as ``saying(_:)`` add properties to it.
  public init<Served: RoutedForm>(_ form: Served.Type) { self.init(form, fields: Served.form) }

  /// Creates the route of a form whose fields depend on the configuration, such as
  /// ``RoutedForm/form`` with some more.
  public init<Served: RoutedForm>(_ form: Served.Type, fields: Form<Served.Draft>) {
    self = Route(
      Served.address.pattern, access: Served.access, answer: .form(FormPage(form, fields: fields))
    ).titled(Served.title).saying(Served.submit == "form.save" ? "form.saved" : nil)
  }
}

extension FormPage where Subject: RoutedForm, Draft == Subject.Draft {
  /// Creates the page of a form with these fields in place of ``RoutedForm/form``.
  package init(_ served: Subject.Type, fields: Form<Draft>) {
    self.init(
      fields, title: Subject.title, cancel: Subject.cancel, load: { try Subject($0) },
      start: { served, _ in try served.start },
      save: { draft, served, context in try served.save(draft, in: context) })
    submitLabel = Subject.submit
    isVersioned = Subject.isVersioned
    preparesOnce = Subject.preparesOnce
    prepare = { draft, served, context in try served.prepare(&draft, in: context) }
    about = { served, _ in try served.about }
    cancelLabel = { try $0.cancelLabel }
    instead = { try $0.instead }
    before = { try $0.before }
    inside = { form, served in try served.page(around: form) }
    again = Subject.again
    origin = Subject.origin
    kind = Subject.isQuestion ? .question : .form
  }
}
