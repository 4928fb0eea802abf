/// A module's records over JSON: listed, read, made, replaced and deleted by the same forms, rules and
/// transactions as on its pages.
///
/// It stands at `/api/v1/ID`, or below it, and is described by `/api/v1/openapi.json`.
public struct Resource: Sendable {
  /// The path below the module's own; empty for the module's only resource.
  public let path: String
  /// What one record is called in the description: a singular noun, such as `Contact`.
  public let name: String
  /// Sentences in English for whoever reads the description.
  public let about: About
  /// Who may use it.
  public let access: Access
  package let source: any ResourceSource

  /// What the description says of a resource, in English.
  public struct About: Sendable {
    /// What the records are.
    public var records: String
    /// What deleting one does.
    public var deleting: String

    /// Says what the records are; of deleting, that the portal keeps the deleted for a while.
    public init(
      _ records: String,
      deleting: String =
        "It can be taken back from “Recently deleted” for thirty days, on the portal's pages."
    ) {
      self.records = records
      self.deleting = deleting
    }
  }

  /// One record as it is answered: what the form holds, and what stands beside it.
  public struct Found<Draft: Sendable>: Sendable {
    /// Its number.
    public let id: Int64
    /// What the form holds.
    public let draft: Draft
    /// Members behind those of the form, such as a state; they do not change while nobody changes
    /// the record.
    public let rest: [JSON.Member]

    /// A record with its number.
    public init(_ id: Int64, _ draft: Draft, rest: [JSON.Member] = []) {
      self.id = id
      self.draft = draft
      self.rest = rest
    }
  }

  /// How a module finds and changes the records; each gets the transaction that it belongs to.
  public struct Actions<Draft: Sendable>: Sendable {
    /// Finds those of the person with a higher number than the first, in the order of their numbers,
    /// at most as many as the second says.
    public typealias List =
      @Sendable (Int64, Int, Context, Connection) throws -> [Found<Draft>]

    /// The person's, a part at a time.
    public var list: List
    /// One of the person; nil for an unknown number and for somebody else's.
    public var find: @Sendable (Int64, Context, Connection) throws -> Found<Draft>?
    /// Stores a new one and returns its number.
    public var create: @Sendable (Draft, Context, Connection) throws -> Int64
    /// Stores one in place of what was found.
    public var replace: @Sendable (Draft, Found<Draft>, Context, Connection) throws -> Void
    /// Deletes what was found.
    public var delete: @Sendable (Found<Draft>, Context, Connection) throws -> Void
    /// What can be had in place of what a ``Refusal/conflict(_:)`` refused: the member `instead` of
    /// its answer. The request holds what was sent in the fields of the page.
    public var instead: (@Sendable (Context) throws -> [JSON])?

    /// All five, and what else may be possible.
    public init(
      list: @escaping List,
      find: @escaping @Sendable (Int64, Context, Connection) throws -> Found<Draft>?,
      create: @escaping @Sendable (Draft, Context, Connection) throws -> Int64,
      replace: @escaping @Sendable (Draft, Found<Draft>, Context, Connection) throws -> Void,
      delete: @escaping @Sendable (Found<Draft>, Context, Connection) throws -> Void,
      instead: (@Sendable (Context) throws -> [JSON])? = nil
    ) {
      self.list = list
      self.find = find
      self.create = create
      self.replace = replace
      self.delete = delete
      self.instead = instead
    }
  }

  /// Records of any kind, by the actions of the module. `rest` is the schema of each member that
  /// ``Found/rest`` adds.
  public init<Draft>(
    at path: StaticString = "", called name: StaticString, about: About, form: Form<Draft>,
    rest: [JSON.Member] = [], access: Access = .signedIn, _ actions: Actions<Draft>
  ) {
    self.path = path.description
    self.name = name.description
    self.about = about
    self.access = access
    source = FormResource(form: form, rest: rest, actions: actions)
  }

  /// Records that stand in a person's ``SealedIndex``, by the form that pages show.
  ///
  /// `form` is the pages' own where that is not the one that is stored; `check` does what pages do
  /// beyond it, within the transaction.
  public init<Entry>(
    _ records: Records<Entry>, at path: StaticString = "", called name: StaticString, about: About,
    form: Form<Entry.Record>? = nil,
    check: @escaping @Sendable (inout Entry.Record, Context) throws -> Void = { _, _ in }
  ) {
    self.init(
      at: path, called: name, about: about, form: form ?? records.form,
      Actions(
        list: { after, limit, context, connection in
          try records.numbers(after: after, limit: limit, by: context.keys, on: connection).map {
            Found($0.rawValue, try records.read($0, context.keys, connection))
          }
        },
        find: { number, context, connection in
          try records.find(ID(number), by: context.keys, on: connection).map { Found(number, $0) }
        },
        create: { record, context, connection in
          var record = record
          try check(&record, context)
          return try records.insert(
            record, at: context.now, by: context.keys, on: connection
          ).rawValue
        },
        replace: { record, found, context, connection in
          var record = record
          try check(&record, context)
          try records.replace(ID(found.id), with: record, by: context.keys, on: connection)
        },
        delete: { found, context, connection in
          try records.delete(ID(found.id), at: context.now, by: context.keys, on: connection)
        }))
  }
}

extension Records {
  /// The numbers of the person's records that are not deleted, those above `after`, in their order.
  public func numbers(
    after: Int64, limit: Int, by keys: Keys, on connection: Connection
  ) throws -> [ID<Record>] {
    try connection.rows(
      """
      SELECT \(column) FROM \(table)
      WHERE person = \(keys.person) AND \(column) > \(after) AND deleted_at IS NULL
        AND \(condition)
      ORDER BY \(column) LIMIT \(limit)
      """
    ) { $0.id(0) }
  }
}
