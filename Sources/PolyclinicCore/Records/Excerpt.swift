extension Form {
  /// A record as its list needs it: its number, and some of its fields.
  ///
  /// The fields are members of the excerpt, and so are all values that the record computes from
  /// them. Fields that are not part of the excerpt are as in the blank draft; reading one as a
  /// member stops a debug build.
  @dynamicMemberLookup
  public struct Excerpt: SealedEntry {
    /// The type of the record.
    public typealias Record = Draft
    /// The number of the record.
    public let id: ID<Draft>
    /// The record with only the fields of the excerpt filled in.
    public let record: Draft
    #if DEBUG
      /// The fields of the form that a stored excerpt lacks.
      private var absent: [PartialKeyPath<Draft> & Sendable] = []

      /// Creates the excerpt as it is stored, without the fields that it lacks.
      fileprivate init(
        _ record: Draft, id: ID<Draft>, absent: [PartialKeyPath<Draft> & Sendable]
      ) {
        self.init(record, id: id)
        self.absent = absent
      }
    #endif

    /// Creates the excerpt of a record.
    public init(_ record: Draft, id: ID<Draft>) {
      self.id = id
      self.record = record
    }

    /// The value of a field, or one that is computed from fields.
    public subscript<Value>(dynamicMember value: KeyPath<Draft, Value>) -> Value {
      #if DEBUG
        precondition(
          !absent.contains { ($0 as PartialKeyPath<Draft>) == value },
          "an entry lacks \(value): name the field in `excerpt(in:…)`, after the other fields")
      #endif
      return record[keyPath: value]
    }
  }

  /// Returns an index whose entries are these fields of the records, in the order of a text,
  /// without regard to case. The table's name must never change, and neither may the fields and
  /// their order; a later release may add fields at the end.
  public func excerpt(
    in table: StaticString, _ fields: (PartialKeyPath<Draft> & Sendable)...,
    by text: @escaping @Sendable (Draft) -> String
  ) -> SealedIndex<Excerpt> {
    requireOrder(of: table, fields, by: text)
    return index(table, fields) { SearchText(text($0.record)) < SearchText(text($1.record)) }
  }

  /// Returns an index whose entries are these fields of the records, from the lowest value to the
  /// highest. A record without a value comes first.
  public func excerpt<Value: Comparable & Sendable>(
    in table: StaticString, _ fields: (PartialKeyPath<Draft> & Sendable)...,
    by value: @escaping @Sendable (Draft) -> Value?
  ) -> SealedIndex<Excerpt> {
    requireOrder(of: table, fields, by: value)
    return index(table, fields) { Self.isLess(value($0.record), value($1.record)) }
  }

  /// Returns an index whose entries are these fields of the records, from the highest value to the
  /// lowest, such as from the latest date to the earliest. A record without a value comes last.
  public func excerpt<Value: Comparable & Sendable>(
    in table: StaticString, _ fields: (PartialKeyPath<Draft> & Sendable)...,
    latestBy value: @escaping @Sendable (Draft) -> Value?
  ) -> SealedIndex<Excerpt> {
    requireOrder(of: table, fields, by: value)
    return index(table, fields) { one, other in
      let (first, second) = (value(one.record), value(other.record))
      return first == second ? other.id < one.id : Self.isLess(second, first)
    }
  }

  private func index(
    _ table: StaticString, _ paths: [PartialKeyPath<Draft> & Sendable],
    _ isBefore: @escaping @Sendable (Excerpt, Excerpt) -> Bool
  ) -> SealedIndex<Excerpt> {
    let known = leaves.compactMap(\.excerpted)
    let fields = paths.map { path in
      guard let field = known.first(where: { $0.path == path }) else {
        preconditionFailure("the excerpt in \(table): \(path) is no field of the form")
      }
      return field
    }
    let blank = blank
    #if DEBUG
      let absent = known.map(\.path).filter { path in !paths.contains { $0 == path } }
    #endif
    return SealedIndex(
      table,
      SealedIndex.Codec(
        read: { bytes in
          let id: ID<Draft> = try bytes.id()
          var draft = blank
          // An entry of an earlier release ends before the fields that this one adds.
          for field in fields where !bytes.isAtEnd { try field.read(&draft, &bytes) }
          #if DEBUG
            return Excerpt(draft, id: id, absent: absent)
          #else
            return Excerpt(draft, id: id)
          #endif
        },
        write: { excerpt, bytes in
          bytes.write(excerpt.id)
          for field in fields { field.write(excerpt.record, &bytes) }
        }, isBefore: isBefore))
  }

  /// Stops the program if the order depends on a field that the entries lack, because stored
  /// entries would be in another order than new ones.
  private func requireOrder<Value: Equatable>(
    of table: StaticString, _ paths: [PartialKeyPath<Draft> & Sendable], by value: (Draft) -> Value
  ) {
    let absent = singles.filter { single in
      !paths.contains { $0 == single.excerpted?.path }
    }
    for single in absent {
      for sample in Self.samples + (single.control.values ?? []) {
        var draft = blank
        guard single.open(&draft, sample) else { continue }
        precondition(
          value(draft) == value(blank),
          "\(table) is ordered by \(single.control.name): name the field in `excerpt(in:…)` too")
      }
    }
  }

  /// Texts of which each kind of field reads at least one.
  private static var samples: [String] {
    ["1", "yes", "2000-01-01", "12:00", "2000-01-01T12:00:00Z"]
  }

  private static func isLess<Value: Comparable>(_ one: Value?, _ other: Value?) -> Bool {
    guard let other else { return false }
    return one.map { $0 < other } ?? true
  }
}

extension Field {
  /// The field in excerpts; nil for a group and for a field of a part of the draft.
  fileprivate var excerpted: ExcerptField<Draft>? {
    switch self {
    case .single(let single): single.excerpted
    case .rows(let rows): rows.excerpted
    case .group: nil
    }
  }
}

extension Records {
  /// Creates records with the fields of `form`, each stored in one row, sealed in the column
  /// `sealed`, and listed by an excerpt; see ``schema``.
  ///
  /// `alongside` runs in the same transaction whenever a record is stored, by a page, a program or
  /// an import. It writes the plain columns that a job reads, because a job cannot open sealed
  /// data.
  public init<Draft: Resealable>(
    _ table: StaticString, id: StaticString, form: Form<Draft>, index: SealedIndex<Entry>,
    title: @escaping @Sendable (Draft) -> String,
    alongside: @escaping @Sendable (Draft, ID<Draft>, Work) throws -> Void = { _, _, _ in }
  ) where Entry == Form<Draft>.Excerpt {
    self.init(
      table, id: id, sealed: SealedColumn(of: table, form), index: index, title: title,
      entry: { Form<Draft>.Excerpt($0, id: $1) }, alongside: alongside)
  }
}
