import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem

/// A request for a module's records, after authorization.
struct ResourceRequest {
  let caller: APICaller
  let checks: RequestChecks
  let entry: APIDirectory.Entry

  private var source: any ResourceSource { entry.resource.source }
  private var admission: AdmittedRequest { caller.admission }

  func list() throws -> Response {
    let query = try checks.query()
    let range = try ListRange(query)
    let records = try source.list(after: range.after, limit: range.limit + 1, context())
    let shown = records.prefix(range.limit)
    let next =
      records.count > shown.count ? shown.last.map { ListRange.cursor(after: $0.id) } : nil
    return .json(ListRange.json(shown.map(\.json), next: next))
  }

  func show(_ id: String) throws -> Response {
    answer(200, try find(id, context(id)))
  }

  func create() throws -> Response {
    let (sent, body) = try sent()
    let key = try key(of: body)
    let context = context(sent: sent, repeatable: key)
    return try offeringInstead(context) {
      try context.respondingOnce { context in
        let id = try source.create(sent, context)
        guard let record = try source.find(id, context) else { throw Refusal.notFound }
        return .created(
          record.json.encoded, at: "\(entry.path)/\(id)", tag: record.tag)
      }
    }
  }

  func replace(_ id: String) throws -> Response {
    let condition = try condition()
    let (sent, _) = try sent()
    let context = context(id, sent: sent)
    return try offeringInstead(context) {
      try context.respondingOnce { context in
        let record = try find(id, context)
        guard record.isMatched(by: condition) else { throw APIRefusal.changed }
        try source.replace(record, with: sent, context)
        return answer(200, try find(id, context))
      }
    }
  }

  /// Returns 204, or 200 with the record if it still exists in another state.
  func delete(_ id: String) throws -> Response {
    let condition = try condition()
    return try context(id).respondingOnce { context in
      let record = try find(id, context)
      guard record.isMatched(by: condition) else { throw APIRefusal.changed }
      try source.delete(record, context)
      return try source.find(record.id, context).map { answer(200, $0) }
        ?? Response(204)
    }
  }

  private func answer(_ status: Int, _ record: ResourceRecord) -> Response {
    .json(record.json, status: status).adding(.init("ETag", record.tag))
  }

  private func find(_ id: String, _ context: Context) throws -> ResourceRecord {
    guard let number = ID<ResourceRecord>(id)?.rawValue,
      let record = try source.find(number, context)
    else { throw Refusal.notFound }
    return record
  }

  /// Returns the context that page handlers get; `sent` supplies the fields of the page's form.
  private func context(
    _ id: String? = nil, sent: JSON? = nil, repeatable key: IdempotencyStore.Key? = nil
  ) -> Context {
    var request = admission.request
    request.fields = sent.map { source.fields(of: $0) } ?? Fields()
    request.parameters = id.map { ["id": $0] } ?? [:]
    return admission.context(for: entry.member, request, repeatable: key)
  }
}

extension AdmittedRequest {
  /// The API request, without fields, for the context that page handlers get too.
  var request: Request {
    var request = Request(
      Request.Method(rawValue: wire.method) ?? .get, Path(checked: wire.path), id: wire.id)
    request.client = client
    return request
  }
}

/// Strong entity tags of records (RFC 9110, 8.8.3), which clients send in `If-Match` with a change.
extension ResourceRecord {
  /// A tag of the content and the version. It is a truncated SHA-256, so different states practically
  /// never share a tag.
  fileprivate var tag: String {
    let digest = SHA256.digest(of: json.encoded + Array(version.utf8))
    return "\"" + Base64.url.text(Array(digest.prefix(15))) + "\""
  }

  /// True if the text is `*` or a comma-separated list of tags (RFC 9110, 13.1.1).
  fileprivate static func isTagList(_ text: String) -> Bool {
    text.wholeMatch(of: /\*|(?:W\/)?"[!#-~]*"(?:[ \t]*,[ \t]*(?:W\/)?"[!#-~]*")*/) != nil
  }

  /// True if `If-Match` lists the tag or is `*`. Weak tags never match (RFC 9110, 13.1.1).
  fileprivate func isMatched(by list: String) -> Bool {
    let tag = tag
    let listed = list.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" } }
    return listed.contains { item in
      let item = String(item.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
      return item == "*" || item == tag
    }
  }
}

/// The body and the headers of a request.
extension ResourceRequest {
  private func sent() throws -> (JSON, [UInt8]) {
    guard checks.wire.mediaType == "application/json" else {
      throw Rejection.unsupportedMediaType
    }
    let bytes = try checks.body(limit: RequestChecks.bodyLimit)
    do { return (try JSON(reading: bytes), bytes) } catch {
      throw APIRefusal.notJSON(offset: error.offset)
    }
  }

  private func condition() throws -> String {
    guard let condition = checks.wire.api.ifMatch else { throw APIRefusal.unconditional }
    guard ResourceRecord.isTagList(condition) else { throw APIRefusal.parameter("If-Match") }
    return condition
  }

  private func key(of body: [UInt8]) throws -> IdempotencyStore.Key? {
    guard let key = checks.wire.api.idempotencyKey else { return nil }
    guard (1...IdempotencyStore.keyLimit).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw APIRefusal.parameter("Idempotency-Key") }
    return admission.server.idempotency.key(
      of: body, named: [entry.path, key], by: caller.keys)
  }

  /// Runs `body`, and adds the alternatives still available to a conflict with another user's
  /// change.
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

/// A 409 response with the available alternatives.
struct ConflictWithOffers: Error {
  let text: Text
  let instead: [JSON]
}
