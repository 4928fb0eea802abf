import Contacts
import PolyclinicCore
import PolyclinicServer

/// The module's own form for a new contact, sent many times in one transaction.
struct NewContact {
  private let form: any FormAnswer
  private let portal: Portal
  private let keys: Keys
  private let visitor: Visitor

  init(_ keys: Keys, database: any Database) throws {
    let route = ContactsModule().routes.first { $0.pattern == "new" }
    guard case .form(let form) = route?.answer else { throw Unusable("no form for a contact") }
    self.form = form
    self.keys = keys
    visitor = Visitor(person: keys.person, name: "Anna Petrova", roles: [.patient])
    portal = Portal(
      database: database, settings: Settings([]),
      clinic: Organization(name: "Benchmark", languages: [.english], zone: .utc, contact: ""),
      origin: Origin(host: "localhost", port: 443), keys: keys.portal, keyHolder: Nobody(),
      secretAddresses: Nobody(), people: Nobody(), noticeBoard: Nobody(),
      phrasebook: try Phrasebook(Catalog.shared),
      clock: { Instant(1_800_000_000) })
  }

  func save(_ fields: Fields) throws {
    let context = Context(
      portal: portal, module: "contacts",
      request: Request(.post, "/contacts/new", fields: fields), language: .english,
      formats: Formats(language: .english, timeZone: .utc), visitor: visitor, keys: keys,
      submissions: FirstSubmissions())
    let answer = try form.submit(context)
    guard answer.status == 303 else { throw Unusable("saving a contact: \(answer.status)") }
  }
}

/// Knows nobody, opens nothing, and tells nobody anything.
private struct Nobody: KeyHolder, SecretAddresses, PeopleDirectory, NoticeBoard {
  func make(
    for keys: Keys, purpose: String, at now: Instant, on connection: Connection
  ) throws -> String { throw Refusal.forbidden }

  func open(_ secret: String, on connection: Connection) throws -> SecretAddress.Opened? { nil }

  func all(of person: ID<Person>, on connection: Connection) throws -> [SecretAddress] { [] }

  func revoke(
    _ id: ID<SecretAddress>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool { false }

  func keys(
    of people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor, at now: Instant,
    on connection: Connection
  ) throws -> [ID<Person>: Keys] { throw Refusal.forbidden }

  func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, by visitor: Visitor,
    at now: Instant, on connection: Connection
  ) throws { throw Refusal.forbidden }

  func name(by keys: Keys, on connection: Connection) throws -> String? { nil }

  func address(by keys: Keys, on connection: Connection) throws -> PostalAddress? { nil }

  func phone(by keys: Keys, on connection: Connection) throws -> String? { nil }
  func birthDate(by keys: Keys, on connection: Connection) throws -> CalendarDate? { nil }

  func post(
    _ notice: Notice, to person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {}

  func find(
    _ loginOrEmail: String, for reason: AccessReason, asking visitor: Visitor,
    on connection: Connection
  ) throws -> ID<Person>? { throw Refusal.forbidden }

  func enter(
    _ newcomer: Newcomer, for reason: AccessReason, by visitor: Visitor, on connection: Connection
  ) throws -> Keys { throw Refusal.forbidden }

  func members(
    having role: Role, asking visitor: Visitor, on connection: Connection
  ) throws -> [NamedPerson] { throw Refusal.forbidden }

  func acts(_ person: ID<Person>, as role: Role, on connection: Connection) throws -> Bool {
    false
  }

  func language(of person: ID<Person>, on connection: Connection) throws -> Language? { nil }
}

/// Takes every form for one that was never sent before.
private final class FirstSubmissions: Submissions {
  var antiForgeryToken: String { "" }
  func carriedFields() throws -> Fields? { nil }
  func confirmVisitor(on connection: Connection) throws {}
  func charge(_ written: StorageUse, on connection: Connection) throws {}
  func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value {
    try body()
  }
  func forgetCarriedFields() throws {}
  func asset(_ name: String) -> Path { "/" }
  func content(ofAsset name: String) -> [UInt8]? { nil }
  func keptInBrowser(_ name: String, of module: ModuleID) -> String? { nil }
  func keepInBrowser(_ value: String, as name: String, of module: ModuleID) {}
  var once: String { "" }
  func isAnswered(_ fields: Fields, of request: Request, on connection: Connection) throws -> Bool {
    false
  }
  func earlierAnswer(
    to fields: Fields, of request: Request, on connection: Connection
  ) throws -> Path? { nil }
  func remember(
    _ answer: Path, to fields: Fields, of request: Request, on connection: Connection
  ) throws {}
}
