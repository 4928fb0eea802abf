/// The portal as one module sees it, also where there is no request: jobs and checks get it.
public final class Portal: Sendable {
  /// The portal's database.
  public let database: any Database
  /// The module's own settings, as they are in force.
  public let settings: Settings
  /// What the administrator calls the clinic.
  public let clinic: Organization
  /// How browsers reach the portal, such as `https://clinic.example:8443`.
  public let origin: Origin
  /// The portal's own keys, for data of no person that a copy of the database must not show, such as
  /// the name under which a doctor sees patients.
  ///
  /// Every page can open what they seal: they keep nothing from a visitor.
  public let keys: Keys
  /// The module's addresses that are read without signing in.
  public let secretAddresses: any SecretAddresses
  /// Who the people of the portal are.
  public let people: any PeopleDirectory
  /// Telephone numbers and sites of health services, by country.
  public let usefulContacts: UsefulContacts
  private let offers: Offers
  private let towns: @Sendable () throws -> Gazetteer
  private let clock: @Sendable () -> Instant
  package let keyHolder: any KeyHolder
  private let noticeBoard: any NoticeBoard
  private let phrasebook: Phrasebook
  /// The words of the other modules, for what they let this one show.
  private let phrasebooks: [ModuleID: Phrasebook]

  /// Made by the server for each module.
  public init(
    database: any Database, settings: Settings, clinic: Organization, origin: Origin,
    keys: Keys, keyHolder: any KeyHolder, secretAddresses: any SecretAddresses,
    people: any PeopleDirectory, usefulContacts: UsefulContacts = UsefulContacts(),
    noticeBoard: any NoticeBoard, offers: Offers = Offers(), phrasebook: Phrasebook,
    phrasebooks: [ModuleID: Phrasebook] = [:],
    towns: @escaping @Sendable () throws -> Gazetteer = { Gazetteer([]) },
    clock: @escaping @Sendable () -> Instant
  ) {
    self.database = database
    self.settings = settings
    self.clinic = clinic
    self.origin = origin
    self.keys = keys
    self.secretAddresses = secretAddresses
    self.keyHolder = keyHolder
    self.people = people
    self.usefulContacts = usefulContacts
    self.noticeBoard = noticeBoard
    self.offers = offers
    self.phrasebook = phrasebook
    self.phrasebooks = phrasebooks
    self.towns = towns
    self.clock = clock
  }

  /// The moment that holds for the portal; tests set it.
  public var now: Instant { clock() }

  /// What an enabled module offers to others, `portal.find((any CareRelations).self)`; nil when none
  /// does.
  public func find<Offered: Sendable>(_ capability: Offered.Type) -> Offered? {
    offers.find(capability)
  }

  /// The keys of others, for a reason that those others read in their access log.
  ///
  /// Throws ``Refusal/forbidden`` when the visitor's work does not give this reason for even one of
  /// them. To be called in a `write`: the access is recorded in its transaction, an entry per person,
  /// reason and hour. People who do not exist are left out.
  public func keys(
    of people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor,
    on connection: Connection
  ) throws -> [ID<Person>: Keys] {
    try keyHolder.keys(of: people, for: reason, asking: visitor, at: now, on: connection)
  }

  /// Tells a person something, in the transaction at hand: in the inbox, and by the ways that the
  /// person has chosen. Needs nobody's keys; whoever does not exist any more is not told.
  ///
  /// Throws ``UnlistedNoticeKind`` for a kind that is not among the module's ``Module/noticeKinds``.
  public func notify(
    _ person: ID<Person>, _ notice: Notice, on connection: Connection
  ) throws {
    try noticeBoard.post(notice, to: person, at: now, on: connection)
  }

  /// Where towns lie; read when it is first asked for. Nothing is asked of anybody outside.
  public var gazetteer: Gazetteer { get throws { try towns() } }

  /// The sentence in a language, by the module's catalog and then the shared one.
  public func string(_ text: Text, in language: Language) -> String {
    guard let module = text.module, let words = phrasebooks[module] else {
      return phrasebook.string(text, in: language)
    }
    return words.string(text, in: language)
  }
}
