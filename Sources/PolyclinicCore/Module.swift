/// A part of the portal that can be omitted without breaking the rest.
///
/// A module is a value that lists its contributions. It has no life cycle: the lists are read and
/// checked once, when the installation is assembled, and are constant afterwards. All contributions
/// use the module's ``id``:
///
/// - addresses begin with `/id`,
/// - tables begin with `id_`,
/// - settings are in `modules: id:` of the configuration,
/// - words are looked up in the module's own catalog first.
public protocol Module: Sendable {
  /// The module's permanent identifier.
  var id: ModuleID { get }
  /// True if the configuration of a first run enables the module.
  var isEnabledAtFirst: Bool { get }
  /// The module's name in the navigation and for the administrator.
  var title: Text { get }
  /// The kind of data on the module's pages and cards, which show its colour.
  var kind: Icon.Kind? { get }
  /// The module's words in each language.
  var catalog: Catalog { get }
  /// The module's style sheets and scripts.
  var assets: [Page.Asset] { get }
  /// The personal data that the module stores, with its purpose, retention and export.
  var personalData: PersonalData { get }
  /// The database migrations, oldest first; they also run while the module is disabled.
  var migrations: [Migration] { get }
  /// The pages, with paths relative to `/id`.
  var routes: [Route] { get }
  /// The part of the module that guardians use for a person in care; a route can have another one.
  var guardianAccess: GuardianAccess { get }
  /// The records in the JSON API, below `/api/v1/id`.
  var resources: [Resource] { get }
  /// The read-only values in the JSON API, below `/api/v1/id`.
  var readOnlyResources: [Resource.ReadOnly] { get }
  /// The links in the navigation.
  var links: [Link] { get }
  /// The cards on the dashboard.
  var cards: [Card] { get }
  /// The tasks of a new portal or a new person that belong to the module.
  var firstSteps: [Link.FirstStep] { get }
  /// The cards that a browser stores for offline reading if the person enables it; their links do
  /// not work offline.
  var offlineCards: [Card] { get }
  /// The module's sections of registration and profile.
  var profileParts: [any ProfilePart] { get }
  /// The kinds of records that the module keeps for people.
  var records: [RecordKind] { get }
  /// The indexes that the module derives from its data and can rebuild from it.
  var rebuildableIndexes: [RebuildableIndex] { get }
  /// The module's part of "Recently deleted".
  var trash: Trash? { get }
  /// The data that can be restored for one person from a backup.
  var recoveries: [Recovery] { get }
  /// The records that the clinic must keep by law after a person was erased.
  var retention: PersonalData.Retention? { get }
  /// The settings that an administrator can change in the module's section of the configuration.
  var settings: [Setting] { get }
  /// The module's background jobs.
  var jobs: [Job] { get }
  /// The kinds of notifications; people choose the ways of delivery for each.
  var noticeKinds: [Notice.Kind] { get }
  /// The commands that an administrator can run in a terminal.
  var commands: [Command] { get }
  /// The checks of the module's health.
  var checks: [HealthCheck] { get }
  /// The module's reactions to a person's loss of a role.
  var withdrawals: [Withdrawal] { get }
  /// The capabilities that the module offers to other modules.
  var offers: [Offer] { get }
  /// The module's sample data for a demonstration portal.
  var demonstration: Demonstration? { get }
}

extension Module {
  /// Default: a new portal has the module.
  public var isEnabledAtFirst: Bool { true }
  /// Default: the module's pages have the portal's colour alone.
  public var kind: Icon.Kind? { nil }
  /// Default: the module has no style sheets and scripts.
  public var assets: [Page.Asset] { [] }
  /// Default: the module has no tables.
  public var migrations: [Migration] { [] }
  /// Default: the module has no pages.
  public var routes: [Route] { [] }
  /// Default: guardians with the right to it read and change the module's records.
  public var guardianAccess: GuardianAccess { .records }
  /// Default: the module has no records in the JSON API.
  public var resources: [Resource] { [] }
  /// Default: the module has no read-only values in the JSON API.
  public var readOnlyResources: [Resource.ReadOnly] { [] }
  /// Default: the module has no links in the navigation.
  public var links: [Link] { [] }
  /// Default: the module has no cards on the dashboard.
  public var cards: [Card] { [] }
  /// Default: a new portal needs nothing for the module.
  public var firstSteps: [Link.FirstStep] { [] }
  /// Default: the module has no cards for offline reading.
  public var offlineCards: [Card] { [] }
  /// Default: the module adds no fields to registration and profile.
  public var profileParts: [any ProfilePart] { [] }
  /// Default: the module keeps no records for people.
  public var records: [RecordKind] { [] }
  /// Default: the indexes of ``records``.
  public var rebuildableIndexes: [RebuildableIndex] { records.map(\.index) }
  /// Default: the deleted records of each kind in ``records``.
  public var trash: Trash? {
    records.dropFirst().reduce(records.first?.trash) { kinds, kind in kinds.map { $0 + kind.trash }
    }
  }
  /// Default: the records of each kind in ``records``.
  public var recoveries: [Recovery] { records.map(\.recovery) }
  /// Default: the module keeps no records after an erasure.
  public var retention: PersonalData.Retention? { nil }
  /// Default: the module has no settings.
  public var settings: [Setting] { [] }
  /// Default: the module has no background jobs.
  public var jobs: [Job] { [] }
  /// Default: the module sends no notifications.
  public var noticeKinds: [Notice.Kind] { [] }
  /// Default: the module has no commands.
  public var commands: [Command] { [] }
  /// Default: the module has no health checks.
  public var checks: [HealthCheck] { [] }
  /// Default: the module does not react to the loss of a role.
  public var withdrawals: [Withdrawal] { [] }
  /// Default: the module offers nothing to other modules.
  public var offers: [Offer] { [] }
  /// Default: the module has no sample data.
  public var demonstration: Demonstration? { nil }
}
