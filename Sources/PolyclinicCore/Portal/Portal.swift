/// One module's view of the portal, also available outside requests, to jobs and checks.
public final class Portal: Sendable {
  /// The portal's database.
  public let database: any Database
  /// The module's settings from the configuration, with defaults for the rest.
  public let settings: Portal.Settings
  /// The organization that runs the portal, from the configuration.
  public let clinic: Organization
  /// The origin of the portal in browsers, such as `https://clinic.example:8443`.
  public let origin: Origin
  /// The portal's own keys, for data of no person that a copy of the database must not reveal.
  ///
  /// An example is the name under which a doctor sees patients. The keys hide nothing from
  /// visitors, because every page can decrypt with them.
  public let keys: Keys
  /// The module's secret addresses, which are readable without signing in.
  public let secretAddresses: any SecretAddresses
  /// The directory of the portal's people.
  public let people: any PeopleDirectory
  package let assets: any AssetSource
  private let offers: Offers
  private let clock: @Sendable () -> Instant
  package let keyHolder: any KeyHolder
  package let noticeBoard: any NoticeBoard
  private let phrasebook: Phrasebook
  /// The phrasebooks of the other modules, for texts that they pass to this one.
  private let phrasebooks: [ModuleID: Phrasebook]

  /// Creates a module's portal; the server does this.
  package init(
    database: any Database, settings: Portal.Settings, clinic: Organization, origin: Origin,
    keys: Keys, keyHolder: any KeyHolder, secretAddresses: any SecretAddresses,
    people: any PeopleDirectory, noticeBoard: any NoticeBoard, offers: Offers = Offers(),
    phrasebook: Phrasebook, phrasebooks: [ModuleID: Phrasebook] = [:],
    assets: any AssetSource, clock: @escaping @Sendable () -> Instant
  ) {
    self.database = database
    self.settings = settings
    self.clinic = clinic
    self.origin = origin
    self.keys = keys
    self.secretAddresses = secretAddresses
    self.keyHolder = keyHolder
    self.people = people
    self.noticeBoard = noticeBoard
    self.assets = assets
    self.offers = offers
    self.phrasebook = phrasebook
    self.phrasebooks = phrasebooks
    self.clock = clock
  }

  /// The portal's current time, which tests can set.
  public var now: Instant { clock() }

  /// Returns an enabled module's implementation of a capability, as in
  /// `portal.find((any CareRelations).self)`; nil if there is none.
  public func find<Offered: Sendable>(_ capability: Offered.Type) -> Offered? {
    offers.find(capability)
  }

  /// True if people can get notifications by e-mail; otherwise they appear in the portal alone.
  public var sendsMail: Bool { noticeBoard.sendsMail }

  /// Returns the sentence in a language, from the module's catalog or else from the shared one.
  public func string(_ text: Text, in language: Language) -> String {
    guard let module = text.module, let words = phrasebooks[module] else {
      return phrasebook.string(text, in: language)
    }
    return words.string(text, in: language)
  }
}

extension Portal {
  /// Runs `body` in a read-only transaction, as ``Database/read(_:)`` does.
  public func read<Value>(_ body: (Work) throws -> Value) throws -> Value {
    try database.read { try body(Work(at: now, on: $0)) }
  }

  /// Runs `body` in a transaction without a visitor, as ``Database/write(_:)`` does.
  @discardableResult
  public func write<Value>(_ body: (Work) throws -> Value) throws -> Value {
    let now = now
    return try database.write { try body(Work(at: now, on: $0)) }
  }

  /// Notifies a person within the transaction, in the inbox and by the ways that the person has
  /// chosen.
  ///
  /// It needs no person's keys and does nothing if the person no longer exists. Throws
  /// `UnlistedNoticeKind` for a kind that is not among the module's ``Module/noticeKinds``.
  public func notify(_ person: ID<Person>, _ notice: Notice, in work: Work) throws {
    try noticeBoard.post(notice, to: person, in: work)
  }
}

/// The files in `www`.
package protocol AssetSource: Sendable {
  /// Returns the path of a file, with its content's hash in the name.
  func path(of name: String) -> Path
  /// Returns the bytes of a file; nil if there is no such file.
  func content(of name: String) -> [UInt8]?
}
