import PolyclinicCore

/// An admitted request whose response is stored under a key, so that its repetition changes
/// nothing.
struct RepeatableRequest: Admission {
  let request: AdmittedRequest
  let key: IdempotencyStore.Key

  var antiForgeryToken: String { request.antiForgeryToken }
  var idempotencyKey: String { request.idempotencyKey }

  func restoredFields() throws -> Fields? { try request.restoredFields() }

  func discardRestoredFields() throws { try request.discardRestoredFields() }

  func confirmVisitor(on connection: Connection) throws -> Connection.StorageUse? {
    try request.confirmVisitor(on: connection)
  }

  func charge(
    _ written: Connection.StorageUse, to used: Connection.StorageUse?, on connection: Connection
  ) throws {
    try request.charge(written, to: used, on: connection)
  }

  func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value {
    try request.readingFile(of: bytes, body)
  }

  func offers(_ path: Path, to inCare: PersonInCare) -> Bool { request.offers(path, to: inCare) }

  func patients(in work: Work) throws -> [Portal.PatientChoice] {
    try request.patients(in: work)
  }

  func isAnswered(on connection: Connection) throws -> Bool {
    try stored(on: connection) != nil
  }

  func earlierResponse(on connection: Connection) throws -> Response? {
    guard let stored = try stored(on: connection) else { return nil }
    // A resubmission with identical fields (password included) by the same browser proves that it
    // is the same user, so sign them in again. A code of a second factor is good for one sign-in
    // only.
    let server = request.server
    guard case .page(_, let person?) = stored, request.session == nil,
      let account = try Account.find(person, on: connection), account.secondFactor == nil,
      !server.site.secondFactor.requires(account.roles),
      let keys = try KeyStore(server.vault).unloggedKeys(of: person, on: connection)
    else { return stored.response }
    var effects = try server.signIn(
      from: request.client, in: Work(keys: keys, at: request.now, on: connection))
    effects.events.append(SecurityEvent(.signedIn, of: person))
    return stored.response.with(effects)
  }

  func store(_ response: Response, on connection: Connection) throws {
    try request.store(response, on: connection)
    guard let stored = IdempotencyStore.Stored(response) else { return }
    if case .page = stored, let wait = request.formWait { throw Refusal.tooMany(retryAfter: wait) }
    try request.server.idempotency.insert(
      stored, for: key, in: Work(at: request.now, on: connection))
  }

  /// Returns the stored response; nil if there is none. Throws ``APIRefusal/otherRequest`` if the
  /// key was used for a different request.
  private func stored(on connection: Connection) throws -> IdempotencyStore.Stored? {
    do {
      return try request.server.idempotency.find(key, at: request.now, on: connection)
    } catch is IdempotencyStore.OtherRequest { throw APIRefusal.otherRequest }
  }
}

extension IdempotencyStore.Stored {
  /// Nil for a response that is neither a redirect nor a new record.
  fileprivate init?(_ response: Response) {
    if let path = response.location, response.status == 303 {
      var signedIn: ID<Person>?
      if case .begins(_, let person) = response.effects?.session { signedIn = person }
      self = .page(path, signedIn: signedIn)
      return
    }
    func header(_ name: String) -> String? {
      response.headers.first { $0.name.description == name }?.value
    }
    guard response.status == 201, case .bytes(let body, _) = response.body,
      let location = header("Location"), let tag = header("ETag")
    else { return nil }
    self = .record(location: location, tag: tag, body: body)
  }

  fileprivate var response: Response {
    switch self {
    case .page(let path, _): .redirect(to: path)
    case .record(let location, let tag, let body): .created(body, at: location, tag: tag)
    }
  }
}

extension Response {
  /// Returns the API's response to a request that created a record.
  static func created(_ body: [UInt8], at location: String, tag: String) -> Response {
    Response(
      201, .bytes(body, type: "application/json"),
      headers: [.init("Location", location), .init("ETag", tag)])
  }
}
