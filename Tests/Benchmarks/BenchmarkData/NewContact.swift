import Contacts
import PolyclinicCore
import PolyclinicPlaces

/// The module's own form for a new contact, sent many times in one transaction.
struct NewContact {
  private let form: any FormAnswer
  private let portal: Portal
  private let keys: Keys
  private let visitor: Visitor

  private let snapshot: Connection

  /// The time at which all contacts are stored.
  static let time = Instant(1_800_000_000)

  init(_ keys: Keys, _ database: Unindexed) throws {
    let route = ContactsModule().routes.first { $0.pattern == "/contacts/new" }
    guard case .form(let form) = route?.answer else { throw Unusable("no form for a contact") }
    self.form = form
    self.keys = keys
    snapshot = database.connection
    visitor = Visitor(person: keys.person, name: "Anna Petrova", roles: [.patient])
    portal = Portal(
      database: database, settings: Portal.Settings([]),
      clinic: Portal.Organization(name: "Benchmark", languages: [.english], zone: .utc),
      origin: Portal.Origin(host: "localhost", port: 443), keys: keys.portal, keyHolder: Nobody(),
      secretAddresses: Nobody(), people: Nobody(), noticeBoard: Nobody(),
      phrasebook: try Phrasebook(Catalog.shared), assets: Nobody(),
      clock: { Self.time })
  }

  func save(_ fields: Fields) throws {
    var request = Request(.post, "/contacts/new")
    request.fields = fields
    let context = Context(
      portal: portal, module: "contacts", request: request, language: .english,
      formats: Formats(language: .english, timeZone: .utc), visitor: visitor, keys: keys,
      admission: FirstSubmission(), on: snapshot)
    let answer = try form.submit(context)
    guard answer.status == 303 else { throw Unusable("saving a contact: \(answer.status)") }
  }
}

/// A stub for all services that the benchmark does not use.
private struct Nobody: KeyHolder, Portal.SecretAddresses, Portal.PeopleDirectory, NoticeBoard,
  AssetSource
{
  let sendsMail = false

  func path(of name: String) -> Path { "/" }

  func content(of name: String) -> [UInt8]? { nil }

  func make(
    purpose: String, in work: Work
  ) throws -> String { throw Refusal.forbidden }

  func open(_ secret: String, in work: Work) throws -> Portal.SecretAddress.Opened? {
    nil
  }

  func all(of person: ID<Person>, in work: Work) throws -> [Portal.SecretAddress] { [] }

  func revoke(
    _ id: ID<Portal.SecretAddress>, of person: ID<Person>, in work: Work
  ) throws -> Bool { false }

  func keys(
    of people: [ID<Person>], for reason: AccessReason, reading what: Text, in work: Work
  ) throws -> [ID<Person>: Keys] { throw Refusal.forbidden }

  func peopleSharing(_ module: ModuleID, in work: Work) throws -> [Portal.NamedPerson] { [] }

  func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, in work: Work
  ) throws { throw Refusal.forbidden }

  func receptionLinks(from origin: Path, in work: Work) throws -> [Portal.ReceptionLink] { [] }

  func unusedLinks(from origin: Path, in work: Work) throws -> [Portal.UnusedLink] { [] }

  func recordsShown(in work: Work) throws -> [Portal.ShownRecords] { [] }

  func guardians(
    ofFound person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> [String] { throw Refusal.forbidden }

  func guardians(
    for reason: AccessReason, from origin: Path, in work: Work
  ) throws -> [Portal.Guardian] { [] }

  func name(in work: Work) throws -> String? { nil }

  func address(in work: Work) throws -> PostalAddress? { nil }

  func phone(in work: Work) throws -> String? { nil }
  func birthDate(in work: Work) throws -> CalendarDate? { nil }
  func complete(birthDate: CalendarDate, in work: Work) throws {}
  func sex(in work: Work) throws -> String? { nil }

  func listed(_ works: [ID<Person>: Work]) throws -> [ID<Person>: Portal.ListedPerson] { [:] }

  func search(
    _ typed: String, for reason: AccessReason, in work: Work
  ) throws -> Portal.FoundPeople { Portal.FoundPeople([], isCut: false) }

  func searchSimilar(
    to typed: String, for reason: AccessReason, in work: Work
  ) throws -> Portal.FoundPeople { Portal.FoundPeople([], isCut: false) }

  func found(
    _ person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> Portal.FoundPerson? { nil }

  func post(_ notice: Notice, to person: ID<Person>, in work: Work) throws {}

  func find(
    _ loginOrEmail: String, for reason: AccessReason, in work: Work
  ) throws -> ID<Person>? { throw Refusal.forbidden }

  func enter(
    _ newcomer: Portal.Newcomer, for reason: AccessReason, in work: Work
  ) throws -> Work { throw Refusal.forbidden }

  func entered(
    _ person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> Portal.Newcomer? { nil }

  func consequences(
    ofCorrecting person: ID<Person>, to details: Portal.Newcomer, for reason: AccessReason,
    in work: Work
  ) throws -> [Text] { [] }

  func correct(
    _ person: ID<Person>, to details: Portal.Newcomer, for reason: AccessReason,
    in work: Work
  ) throws { throw Refusal.forbidden }

  func members(
    having role: Role, in work: Work
  ) throws -> [Portal.NamedPerson] { throw Refusal.forbidden }

  func hasMembers(having role: Role, in work: Work) throws -> Bool { false }

  func acts(_ person: ID<Person>, as role: Role, in work: Work) throws -> Bool {
    false
  }

  func languages(of people: [ID<Person>], in work: Work) throws -> [ID<Person>: Language] { [:] }
}

/// Admits every request, and takes every form for one that was never sent before.
private struct FirstSubmission: Admission {
  let antiForgeryToken = ""
  let idempotencyKey = ""
  func restoredFields() throws -> Fields? { nil }
  func discardRestoredFields() throws {}
  func confirmVisitor(on connection: Connection) throws -> Connection.StorageUse? { nil }
  func charge(
    _ written: Connection.StorageUse, to used: Connection.StorageUse?, on connection: Connection
  ) throws {}
  func offers(_ path: Path, to inCare: PersonInCare) -> Bool { true }
  func patients(in work: Work) throws -> [Portal.PatientChoice] { [] }
  func isAnswered(on connection: Connection) throws -> Bool { false }
  func earlierResponse(on connection: Connection) throws -> Response? { nil }
  func store(_ response: Response, on connection: Connection) throws {}
  func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value {
    try body()
  }
}
