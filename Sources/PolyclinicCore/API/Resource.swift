/// A module's records as a JSON API: list, read, create, replace and delete, with the same forms,
/// rules and transactions as on the module's pages.
///
/// The resource is served at `/api/v1/ID` or below it, and described in `/api/v1/openapi.json`.
public struct Resource: Sendable {
  /// The path below the module's own; empty for the module's only resource.
  public let path: String
  /// The name of one record in the API description: a singular noun, such as `Contact`.
  public let name: String
  /// The English texts of the API description.
  public let about: About
  /// The visitors who may use the resource.
  public let access: Access
  package let source: any ResourceSource

  /// The English texts about a resource in the API description.
  public struct About: Sendable {
    /// A description of the records.
    public var records: String
    /// The effect of deleting a record.
    public var deleting: String

    /// Creates the texts. By default, `deleting` says that the portal keeps deleted records for
    /// thirty days.
    public init(
      _ records: String,
      deleting: String =
        "It can be taken back from “Recently deleted” for thirty days, on the portal's pages."
    ) {
      self.records = records
      self.deleting = deleting
    }
  }

  /// A record as it is returned: the form's draft and further members.
  public struct Found<Draft: Sendable>: Sendable {
    /// The record's number.
    public let id: Int64
    /// The form's draft.
    public let draft: Draft
    /// Members in addition to those of the form, such as a status. They must not change unless the
    /// record itself changes.
    public let rest: [JSON.Member]

    /// Creates a record with its number.
    public init(_ id: Int64, _ draft: Draft, rest: [JSON.Member] = []) {
      self.id = id
      self.draft = draft
      self.rest = rest
    }
  }

  /// The functions that find and change a module's records. Each runs in the request's transaction.
  public struct Actions<Draft: Sendable>: Sendable {
    /// Returns the person's records with a number greater than the first argument, in ascending
    /// order. The second argument is their maximum count.
    public typealias List =
      @Sendable (Int64, Int, Context) throws -> [Found<Draft>]

    /// Returns one page of the person's records.
    public var list: List
    /// Returns a record of the person; nil if the number is unknown or the record belongs to
    /// another person.
    public var find: @Sendable (Int64, Context) throws -> Found<Draft>?
    /// Stores a new record and returns its number.
    public var create: @Sendable (Draft, Context) throws -> Int64
    /// Replaces the record that was found.
    public var replace: @Sendable (Draft, Found<Draft>, Context) throws -> Void
    /// Deletes the record that was found.
    public var delete: @Sendable (Found<Draft>, Context) throws -> Void
    /// Returns the alternatives after a ``Refusal/conflict(_:)``: the member `instead` of the
    /// response. The request holds the sent values as the fields of the page.
    public var instead: (@Sendable (Context) throws -> [JSON])?

    /// Creates the five functions and, optionally, the alternatives.
    public init(
      list: @escaping List,
      find: @escaping @Sendable (Int64, Context) throws -> Found<Draft>?,
      create: @escaping @Sendable (Draft, Context) throws -> Int64,
      replace: @escaping @Sendable (Draft, Found<Draft>, Context) throws -> Void,
      delete: @escaping @Sendable (Found<Draft>, Context) throws -> Void,
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

  /// Creates a resource of any records, with the module's own actions. `rest` holds the schema of
  /// each member of ``Found/rest``.
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

  /// Creates a resource of the records in a person's ``SealedIndex``, with the form of the pages.
  ///
  /// `form` is needed if the pages use another form than the stored one. `check` does the
  /// additional checks of the pages, within the transaction.
  public init<Entry>(
    _ records: Records<Entry>, at path: StaticString = "", called name: StaticString, about: About,
    form: Form<Entry.Record>? = nil,
    check: @escaping @Sendable (inout Entry.Record, Context) throws -> Void = { _, _ in }
  ) {
    self.init(
      at: path, called: name, about: about, form: form ?? records.form,
      Actions(
        list: { after, limit, context in
          try records.page(after: after, limit: limit, in: context).map {
            Found($0.id.rawValue, $0.record)
          }
        },
        find: { number, context in
          try records.find(ID(number), in: context).map { Found(number, $0) }
        },
        create: { record, context in
          var record = record
          try check(&record, context)
          return try records.insert(record, in: context).rawValue
        },
        replace: { record, found, context in
          var record = record
          try check(&record, context)
          try records.replace(
            records.entry(found.draft, ID(found.id)), with: record, in: context)
        },
        delete: { found, context in
          try records.delete(ID(found.id), in: context)
        }))
  }
}
