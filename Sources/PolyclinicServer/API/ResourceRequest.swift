import PolyclinicCore

/// One request for a module's records, by somebody who may make it.
struct ResourceRequest {
  let visit: Visit
  let caller: APICaller
  let entry: APIDirectory.Entry

  private var source: any ResourceSource { entry.resource.source }
  private var front: Front { visit.front }

  func list() throws -> Response {
    let query = try Gate(visit: visit).query()
    let range = try ListRange(query)
    let context = context()
    let records = try front.database.read {
      try source.list(after: range.after, limit: range.limit + 1, context, $0)
    }
    let shown = records.prefix(range.limit)
    let next =
      records.count > shown.count ? shown.last.map { ListRange.cursor(after: $0.id) } : nil
    return .json(ListRange.json(shown.map(\.json), next: next))
  }

  func show(_ id: String) throws -> Response {
    let context = context(id)
    let record = try front.database.read { try find(id, context, on: $0) }
    return answer(200, record)
  }

  func create() throws -> Response {
    let (sent, body) = try sent()
    let mark = try mark(of: body)
    let context = context(sent: sent)
    let made = try offeringInstead(context) {
      try context.database.write { connection -> AnsweredRequests.Answer in
        if let mark, let earlier = try find(mark, on: connection) { return earlier }
        let id = try source.create(sent, context, connection)
        guard let record = try source.find(id, context, connection) else { throw Refusal.notFound }
        let answer = AnsweredRequests.Answer(
          location: "\(entry.path)/\(id)", tag: EntityTag.of(record), body: record.json.encoded)
        if let mark {
          try front.answeredRequests.insert(
            mark, answer, by: caller.keys, at: visit.now, on: connection)
        }
        return answer
      }
    }
    return Response(
      201, .bytes(made.body, type: "application/json"),
      headers: [.init("Location", made.location), .init("ETag", made.tag)])
  }

  func replace(_ id: String) throws -> Response {
    let condition = try condition()
    let (sent, _) = try sent()
    let context = context(id, sent: sent)
    let changed = try offeringInstead(context) {
      try context.database.write { connection -> ResourceRecord in
        let record = try find(id, context, on: connection)
        guard EntityTag.matches(condition, EntityTag.of(record)) else { throw APIRefusal.changed }
        try source.replace(record, with: sent, context, connection)
        return try find(id, context, on: connection)
      }
    }
    return answer(200, changed)
  }

  /// 204, or the record where it is still there in another state.
  func delete(_ id: String) throws -> Response {
    let condition = try condition()
    let context = context(id)
    let left = try context.database.write { connection -> ResourceRecord? in
      let record = try find(id, context, on: connection)
      guard EntityTag.matches(condition, EntityTag.of(record)) else { throw APIRefusal.changed }
      try source.delete(record, context, connection)
      return try source.find(record.id, context, connection)
    }
    return left.map { answer(200, $0) } ?? Response(204)
  }

  private func answer(_ status: Int, _ record: ResourceRecord) -> Response {
    .json(record.json, status: status).adding(.init("ETag", EntityTag.of(record)))
  }

  private func find(
    _ id: String, _ context: Context, on connection: Connection
  ) throws -> ResourceRecord {
    guard let number = ID<ResourceRecord>(id)?.rawValue,
      let record = try source.find(number, context, connection)
    else { throw Refusal.notFound }
    return record
  }

  /// What the handlers of pages get, with what was sent in the fields of the page.
  private func context(_ id: String? = nil, sent: JSON? = nil) -> Context {
    visit.context(
      for: entry.member, caller: caller, fields: sent.map { source.fields(of: $0) } ?? Fields(),
      parameters: id.map { ["id": $0] } ?? [:])
  }
}

extension Visit {
  /// The world of a program's request, as pages get theirs.
  func context(
    for member: Installation.Member, caller: APICaller?, fields: Fields = Fields(),
    parameters: [String: String] = [:]
  ) -> Context {
    Context(
      portal: front.portal(for: member), module: member.module.id,
      request: Request(
        Request.Method(rawValue: wire.method) ?? .get, Path(checked: path), fields: fields,
        parameters: parameters, id: wire.id),
      language: language, formats: front.formats(language), visitor: caller?.visitor,
      keys: caller?.keys, submissions: self)
  }
}

/// What is beside the address in a request.
extension ResourceRequest {
  private func sent() throws -> (JSON, [UInt8]) {
    guard visit.wire.mediaType == "application/json" else {
      throw Gate.Rejection.unsupportedMediaType
    }
    let bytes = try Gate(visit: visit).body(limit: Gate.bodyLimit)
    do { return (try JSON(reading: bytes), bytes) } catch let fault as JSONFault {
      throw APIRefusal.notJSON(offset: fault.offset)
    }
  }

  private func condition() throws -> String {
    guard let condition = visit.wire.ifMatch else { throw APIRefusal.unconditional }
    guard EntityTag.isList(condition) else { throw APIRefusal.parameter("If-Match") }
    return condition
  }

  private func mark(of body: [UInt8]) throws -> AnsweredRequests.Mark? {
    guard let key = visit.wire.idempotencyKey else { return nil }
    guard (1...AnsweredRequests.keyLimit).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw APIRefusal.parameter("Idempotency-Key") }
    return front.answeredRequests.mark(
      of: key, to: entry.path, body, from: caller.visitor.person)
  }

  private func find(
    _ mark: AnsweredRequests.Mark, on connection: Connection
  ) throws -> AnsweredRequests.Answer? {
    do {
      return try front.answeredRequests.find(
        mark, at: visit.now, by: caller.keys, on: connection)
    } catch is AnsweredRequests.OtherRequest { throw APIRefusal.otherRequest }
  }

  /// What somebody else was faster to get is refused with what can be had instead.
  private func offeringInstead<Value>(
    _ context: Context, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch Refusal.conflict(let text) {
      guard let instead = try source.instead(context) else {
        throw Refusal.conflict(text)
      }
      throw ConflictWithOffers(text: text, instead: instead)
    }
  }
}

/// 409, with what can be had instead.
struct ConflictWithOffers: Error {
  let text: Text
  let instead: [JSON]
}
