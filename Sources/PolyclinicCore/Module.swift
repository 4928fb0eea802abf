/// A part of the portal that can be left out without breaking the rest.
///
/// A module is a value that lists what it adds. It has no life cycle: the lists are read once when
/// the installation is put together, checked, and from then on only looked things up in. Everything
/// it adds bears its ``id``: addresses begin with `/id`, tables with `id_`, settings stand in
/// `modules: id:`, words are looked up in its own catalog first.
public protocol Module: Sendable {
  /// Never changes.
  var id: ModuleID { get }
  /// What the navigation and the administrator read.
  var title: Text { get }
  var catalog: Catalog { get }
  /// What is kept about people, how, for how long, and how it is handed out to them.
  var personalData: PersonalData { get }
  /// The schema's history, oldest first; run also while the module is switched off.
  var migrations: [Migration] { get }
  var routes: [Route] { get }
  /// What the navigation shows.
  var links: [Link] { get }
  /// What the dashboard shows.
  var cards: [Card] { get }
  /// What registration and profile ask for this module's sake.
  var profileParts: [any ProfilePart] { get }
  /// What it derives from its records, and can make anew from them.
  var derived: [Derived] { get }
  /// What of it stands in "Recently deleted".
  var trash: Trash? { get }
  var settings: [Setting] { get }
  var jobs: [Job] { get }
  var checks: [HealthCheck] { get }
}

extension Module {
  public var migrations: [Migration] { [] }
  public var routes: [Route] { [] }
  public var links: [Link] { [] }
  public var cards: [Card] { [] }
  public var profileParts: [any ProfilePart] { [] }
  public var derived: [Derived] { [] }
  public var trash: Trash? { nil }
  public var settings: [Setting] { [] }
  public var jobs: [Job] { [] }
  public var checks: [HealthCheck] { [] }
}
