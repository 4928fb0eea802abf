/// A resource as the server sees it: what is sent and answered is JSON.
package protocol ResourceSource: Sendable {
  /// See ``Resource/Actions/list``.
  func list(
    after: Int64, limit: Int, _ context: Context, _ connection: Connection
  ) throws -> [ResourceRecord]
  /// See ``Resource/Actions/find``.
  func find(_ id: Int64, _ context: Context, _ connection: Connection) throws -> ResourceRecord?
  /// Reads what was sent and stores it; throws ``Problems`` that name what is wrong.
  func create(_ sent: JSON, _ context: Context, _ connection: Connection) throws -> Int64
  /// Reads what was sent and stores it in place of a record that was found in the same transaction.
  func replace(
    _ record: ResourceRecord, with sent: JSON, _ context: Context, _ connection: Connection
  ) throws
  /// Deletes a record that was found in the same transaction.
  func delete(_ record: ResourceRecord, _ context: Context, _ connection: Connection) throws
  /// What can be had in place of what could not be stored; nil where there is no such thing.
  func instead(_ context: Context) throws -> [JSON]?
  /// What was sent as a page would send it; none where it cannot be read.
  func fields(of sent: JSON) -> Fields
  /// Where in the JSON a field stands (RFC 6901).
  func pointer(of field: String) -> String
  /// The schema of what is sent.
  func schemaOfSent(_ words: (Text) -> String) -> JSON
  /// The schema of what is answered.
  func schemaOfAnswered(_ words: (Text) -> String) -> JSON
}

/// A record as it is answered.
package struct ResourceRecord: Sendable {
  /// Its number.
  package let id: Int64
  /// All that is answered of it.
  package let json: JSON
  /// Differs, all but certainly, when anything in it differs, even what is not answered.
  package let version: String
  /// What the source found, for the source.
  fileprivate let found: any Sendable
}

/// A resource whose records are drafts of a form.
struct FormResource<Draft: Sendable>: ResourceSource {
  let form: Form<Draft>
  /// The schemas of the members that are answered beside those of the form.
  let rest: [JSON.Member]
  let actions: Resource.Actions<Draft>

  /// What is answered and not stored from what is sent: sent back, it is not looked at.
  private var ignored: Set<String> { Set(rest.map(\.name)).union(["id"]) }

  func list(
    after: Int64, limit: Int, _ context: Context, _ connection: Connection
  ) throws -> [ResourceRecord] {
    try actions.list(after, limit, context, connection).map(record)
  }

  func find(_ id: Int64, _ context: Context, _ connection: Connection) throws -> ResourceRecord? {
    try actions.find(id, context, connection).map(record)
  }

  func create(_ sent: JSON, _ context: Context, _ connection: Connection) throws -> Int64 {
    try actions.create(
      form.draft(from: sent, over: form.blank, ignoring: ignored, context), context, connection)
  }

  func replace(
    _ record: ResourceRecord, with sent: JSON, _ context: Context, _ connection: Connection
  ) throws {
    let found = try found(record)
    let draft = try form.draft(from: sent, over: found.draft, ignoring: ignored, context)
    try actions.replace(draft, found, context, connection)
  }

  func delete(_ record: ResourceRecord, _ context: Context, _ connection: Connection) throws {
    try actions.delete(found(record), context, connection)
  }

  func instead(_ context: Context) throws -> [JSON]? { try actions.instead?(context) }

  func fields(of sent: JSON) -> Fields { form.fields(from: sent, ignoring: ignored).0 }

  func pointer(of field: String) -> String { form.pointer(of: field) }

  func schemaOfSent(_ words: (Text) -> String) -> JSON {
    let note: JSON = ["description": "As it was answered, or left out: it is not looked at."]
    return form.schemaOfSent(words, also: ([idMember] + rest).map { JSON.Member($0.name, note) })
  }

  func schemaOfAnswered(_ words: (Text) -> String) -> JSON {
    let members = [idMember] + form.membersOfAnswered(words) + rest
    return objectSchema(members, required: members.map { .string($0.name) })
  }

  private var idMember: JSON.Member {
    JSON.Member(
      "id", ["type": "integer", "format": "int64", "minimum": 1, "title": "Its number."])
  }

  private func record(_ found: Resource.Found<Draft>) -> ResourceRecord {
    var members = [JSON.Member("id", .integer(found.id))]
    if case .object(let fields) = form.json(found.draft) { members += fields }
    return ResourceRecord(
      id: found.id, json: .object(members + found.rest), version: form.fingerprint(found.draft),
      found: found)
  }

  private func found(_ record: ResourceRecord) throws -> Resource.Found<Draft> {
    guard let found = record.found as? Resource.Found<Draft> else { throw Refusal.notFound }
    return found
  }
}
