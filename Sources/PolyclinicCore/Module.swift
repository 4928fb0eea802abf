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
  /// Its words in each language.
  var catalog: Catalog { get }
  /// What is kept about people, how, for how long, and how it is handed out to them.
  var personalData: PersonalData { get }
  /// The schema's history, oldest first; run also while the module is switched off.
  var migrations: [Migration] { get }
  /// Its pages; their paths are relative to `/id`.
  var routes: [Route] { get }
  /// Its records over JSON, below `/api/v1/id`.
  var resources: [Resource] { get }
  /// Values that programs read below `/api/v1/id`, and that no request changes.
  var readOnlyResources: [ReadOnlyResource] { get }
  /// What the navigation shows.
  var links: [Link] { get }
  /// What the dashboard shows.
  var cards: [Card] { get }
  /// What registration and profile ask for this module's sake.
  var profileParts: [any ProfilePart] { get }
  /// What it derives from its records, and can make anew from them.
  var derived: [Derived] { get }
  /// Its part of "Recently deleted".
  var trash: Trash? { get }
  /// Its records that come back for one person from a backup.
  var recoveries: [Recovery] { get }
  /// What an administrator may set in the module's section of the configuration.
  var settings: [Setting] { get }
  /// What it does without being asked.
  var jobs: [Job] { get }
  /// What it tells people about; they choose by which ways.
  var noticeKinds: [NoticeKind] { get }
  /// What an administrator can ask of it in a terminal.
  var commands: [Command] { get }
  /// What it tells of its own health.
  var checks: [HealthCheck] { get }
  /// What follows in it when somebody loses a role.
  var withdrawals: [Withdrawal] { get }
  /// What it does for other modules.
  var offers: [Offer] { get }
  /// What it shows of itself in a portal that is there to be looked at.
  var demonstration: Demonstration? { get }
}

extension Module {
  /// No tables.
  public var migrations: [Migration] { [] }
  /// No pages.
  public var routes: [Route] { [] }
  /// Nothing over JSON.
  public var resources: [Resource] { [] }
  /// No values for programs.
  public var readOnlyResources: [ReadOnlyResource] { [] }
  /// Nothing in the navigation.
  public var links: [Link] { [] }
  /// Nothing on the dashboard.
  public var cards: [Card] { [] }
  /// Nothing asked at registration.
  public var profileParts: [any ProfilePart] { [] }
  /// Nothing but records.
  public var derived: [Derived] { [] }
  /// Nothing that can be taken back.
  public var trash: Trash? { nil }
  /// Nothing that comes back for one person alone.
  public var recoveries: [Recovery] { [] }
  /// Nothing to set.
  public var settings: [Setting] { [] }
  /// Nothing done unasked.
  public var jobs: [Job] { [] }
  /// Nothing to tell anybody.
  public var noticeKinds: [NoticeKind] { [] }
  /// Nothing for a terminal.
  public var commands: [Command] { [] }
  /// Nothing to be asked about.
  public var checks: [HealthCheck] { [] }
  /// Nothing that hangs on a role.
  public var withdrawals: [Withdrawal] { [] }
  /// Nothing for others.
  public var offers: [Offer] { [] }
  /// Nothing to show without people of its own.
  public var demonstration: Demonstration? { nil }
}
