/// The untyped interface of a resource for the server: requests and responses are JSON.
package protocol ResourceSource: Sendable {
  /// Returns records; see ``Resource/Actions/list``.
  func list(
    after: Int64, limit: Int, _ context: Context
  ) throws -> [ResourceRecord]
  /// Returns a record; see ``Resource/Actions/find``.
  func find(_ id: Int64, _ context: Context) throws -> ResourceRecord?
  /// Parses the JSON and stores it as a new record, whose number it returns. Throws ``Problems`` if
  /// fields are invalid.
  func create(_ sent: JSON, _ context: Context) throws -> Int64
  /// Parses the JSON and replaces a record that was found in the same transaction. Throws
  /// ``Problems`` if fields are invalid.
  func replace(
    _ record: ResourceRecord, with sent: JSON, _ context: Context
  ) throws
  /// Deletes a record that was found in the same transaction.
  func delete(_ record: ResourceRecord, _ context: Context) throws
  /// Returns the alternatives to a record that could not be stored; nil if the resource offers
  /// none.
  func instead(_ context: Context) throws -> [JSON]?
  /// Returns the values of the JSON as a page would send them; none if the JSON cannot be parsed.
  func fields(of sent: JSON) -> Fields
  /// Returns the JSON Pointer of a field (RFC 6901).
  func pointer(of field: String) -> String
  /// Returns the JSON Schema of requests.
  func schemaOfSent(_ words: (Text) -> String) -> JSON
  /// Returns the JSON Schema of responses.
  func schemaOfAnswered(_ words: (Text) -> String) -> JSON
}

/// A record as it is returned to the client.
package struct ResourceRecord: Sendable {
  /// The record's number.
  package let id: Int64
  /// The whole response as JSON.
  package let json: JSON
  /// A hash of the whole stored record, including values that are not returned. Two different
  /// states almost never have the same hash. Computed when it is asked for, because a list has
  /// none.
  package var version: String { makeVersion() }
  fileprivate let makeVersion: @Sendable () -> String
  /// The source's own value, which the source uses to replace or delete the record.
  fileprivate let found: any Sendable
}

/// A resource whose records are drafts of a form.
struct FormResource<Draft: Sendable>: ResourceSource {
  let form: Form<Draft>
  /// The schemas of the members that are returned in addition to those of the form.
  let rest: [JSON.Member]
  let actions: Resource.Actions<Draft>

  /// The members that are returned but not stored. Clients may send them back; they are ignored.
  private var ignored: Set<String> { Set(rest.map(\.name)).union(["id"]) }

  func list(
    after: Int64, limit: Int, _ context: Context
  ) throws -> [ResourceRecord] {
    try actions.list(after, limit, context).map(record)
  }

  func find(_ id: Int64, _ context: Context) throws -> ResourceRecord? {
    try actions.find(id, context).map(record)
  }

  func create(_ sent: JSON, _ context: Context) throws -> Int64 {
    let members = form.fields(from: sent, ignoring: ignored)
    return try actions.create(form.draft(from: members, over: form.blank, context), context)
  }

  func replace(
    _ record: ResourceRecord, with sent: JSON, _ context: Context
  ) throws {
    let found = try found(record)
    let members = form.fields(from: sent, ignoring: ignored)
    let draft = try form.draft(from: members, over: found.draft, context)
    try actions.replace(draft, found, context)
  }

  func delete(_ record: ResourceRecord, _ context: Context) throws {
    try actions.delete(found(record), context)
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
      id: found.id, json: .object(members + found.rest),
      makeVersion: { [form] in form.fingerprint(found.draft) }, found: found)
  }

  private func found(_ record: ResourceRecord) throws -> Resource.Found<Draft> {
    guard let found = record.found as? Resource.Found<Draft> else { throw Refusal.notFound }
    return found
  }
}
