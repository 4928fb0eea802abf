/// The page or the form that a module serves at one address.
///
/// A value is made for each request. Its `init` loads everything that it shows, in the request's
/// snapshot of the database; the rest of it only reads the value.
public protocol Routed: SendableMetatype {
  /// The type of the value in the path.
  associatedtype Value = Void
  /// The address, to which links are made from this type.
  static var address: Address<Value> { get }
  /// The visitors who may use it; by default, those who have signed in.
  static var access: Access { get }
  /// The route of the address; by default, that of the type without further properties.
  static var route: Route { get }

  /// Loads what is shown. Throws a ``Refusal`` for a visitor who may not see it, and
  /// ``Refusal/notFound`` for a value that leads nowhere.
  init(_ context: Context) throws
}

extension Routed {
  public static var access: Access { .signedIn }
}

extension Routed where Value == Void {
  /// The path of its address.
  public static var path: Path { address.path }
}

extension Routed where Value: LosslessStringConvertible {
  /// Returns the path of its address with this value.
  public static func path(_ value: Value) -> Path { address.path(value) }
}

/// A page at an address of its own.
public protocol RoutedPage: Routed {
  /// The page, made from the value alone.
  var page: Page { get }
  /// The title of the page in links that lead back to it; nil, the default, for that of its entry
  /// in the navigation, or else "Back".
  static var linkTitle: Text? { get }
  /// The status code; 200 by default, 422 for a query that was not understood.
  var status: Int { get }
}

extension RoutedPage {
  public static var route: Route { Route(Self.self) }
  public static var linkTitle: Text? { nil }
  public var status: Int { 200 }
}

extension Route {
  /// Creates the route of a page; functions such as ``keeping(_:)`` add properties to it.
  public init<Served: RoutedPage>(_ page: Served.Type) {
    self.init(
      Served.address.pattern, access: Served.access,
      answer: .get {
        let served = try Served($0)
        return .page(served.page, status: served.status)
      })
    self = titled(Served.linkTitle)
  }
}
