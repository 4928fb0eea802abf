/// A row as the user typed it.
struct TypedRow: Sendable {
  var values: [String]
  /// The row's index in the stored draft, from 0; nil for a new row.
  var origin: Int?
}

extension Field {
  /// Repeating fields: each row is a draft of its own, and the user can add and remove rows.
  ///
  /// A class, for the same reason as ``Single``.
  public final class Rows: Sendable {
    /// The prefix of the field names: `method` makes `method_type` and `method_value`.
    let name: String
    let limit: Int
    /// The controls of one row. Their names have no prefix, but their labels do:
    /// `field.method_type`.
    let columns: [Control]
    /// The names of the fields on the page, such as `method_value`.
    let fieldNames: [String]
    /// The name of the hidden field with the row's index in the stored draft.
    let originName: String
    /// The name of the array of rows in JSON.
    let membersName: String
    /// The values of an empty row, in the order of the columns.
    let blank: [String]
    /// The module whose catalog holds the texts; nil for the module that shows the rows.
    private let module: ModuleID?
    /// Returns each row's values as text, in the order of the columns.
    let texts: @Sendable (Draft) -> [[String]]
    /// Parses typed rows into the draft. A row with an index is parsed over the stored row, so that
    /// fields from other releases are kept.
    let read: @Sendable (inout Draft, [TypedRow]) -> [Fields.Problem]
    let encode: @Sendable (Draft) -> [[UInt8]]
    let decode: @Sendable (inout Draft, [[UInt8]]) throws -> Void
    let json: @Sendable (Draft) -> JSON
    /// The rows in the excerpts of records; nil for those of a part of the draft.
    let excerpted: ExcerptField<Draft>?

    /// Returns the name of a row's field on the page, such as `method_value`.
    func fieldName(_ column: Control) -> String { "\(name)_\(column.name)" }

    fileprivate init(
      name: String, limit: Int, columns: [Control], blank: [String], module: ModuleID?,
      texts: @escaping @Sendable (Draft) -> [[String]],
      read: @escaping @Sendable (inout Draft, [TypedRow]) -> [Fields.Problem],
      encode: @escaping @Sendable (Draft) -> [[UInt8]],
      decode: @escaping @Sendable (inout Draft, [[UInt8]]) throws -> Void,
      json: @escaping @Sendable (Draft) -> JSON, excerpted: ExcerptField<Draft>?
    ) {
      self.name = name
      self.limit = limit
      self.columns = columns
      fieldNames = columns.map { "\(name)_\($0.name)" }
      originName = "\(name)_row"
      membersName = "\(name)s"
      self.blank = blank
      self.module = module
      self.texts = texts
      self.read = read
      self.encode = encode
      self.decode = decode
      self.json = json
      self.excerpted = excerpted
    }

    /// Returns encoded rows one after the other, each preceded by its length.
    static func joined(_ rows: [[UInt8]]) -> [UInt8] {
      var nested = ByteWriter()
      for row in rows { nested.write(row) }
      return nested.bytes
    }

    /// Returns the encoded rows of ``joined(_:)``.
    static func split(_ bytes: ArraySlice<UInt8>) throws -> [[UInt8]] {
      var reader = ByteReader(bytes)
      var rows: [[UInt8]] = []
      while !reader.isAtEnd { rows.append(Array(try reader.bytes())) }
      return rows
    }

    /// Returns the label of the rows, of one of their fields, or of the button that adds a row.
    func text(_ key: String) -> Text {
      var text = Text("field.\(key)")
      text.module = module
      return text
    }

    func speaking(for module: ModuleID) -> Rows {
      let read = read
      return Rows(
        name: name, limit: limit, columns: columns.map { $0.speaking(for: module) }, blank: blank,
        module: module, texts: texts, read: { read(&$0, $1).map { $0.speaking(for: module) } },
        encode: encode, decode: decode, json: json, excerpted: excerpted)
    }

    func within<Whole: Sendable>(
      get: @escaping @Sendable (Whole) -> Draft,
      set: @escaping @Sendable (inout Whole, Draft) -> Void
    ) -> Field<Whole>.Rows {
      let (texts, read, encode, decode, json) = (texts, read, encode, decode, json)
      return Field<Whole>.Rows(
        name: name, limit: limit, columns: columns, blank: blank, module: module,
        texts: { texts(get($0)) },
        read: { whole, rows in
          var draft = get(whole)
          let problems = read(&draft, rows)
          set(&whole, draft)
          return problems
        },
        encode: { encode(get($0)) },
        decode: { whole, rows in
          var draft = get(whole)
          try decode(&draft, rows)
          set(&whole, draft)
        },
        json: { json(get($0)) }, excerpted: nil)
    }
  }
}

extension Control {
  fileprivate func inRow(of rows: String) -> Control {
    var control = self
    control.label = Text("field.\(rows)_\(name)")
    return control
  }
}

extension Field {
  /// Returns rows of another form's fields, at most `limit`. Empty rows are dropped.
  ///
  /// An example with the name `time` and a column `at`:
  ///
  /// - The texts are `field.time`, `field.time.add` and `field.time_at`.
  /// - The page sends `time_at` once for each row.
  /// - The JSON is `"times": [{"at": …}]`.
  public static func rows<Row: Sendable>(
    _ rows: WritableKeyPath<Draft, [Row]> & Sendable, _ name: String, limit: Int, of form: Form<Row>
  ) -> Field {
    let singles = form.singles
    let read: @Sendable (inout Draft, [TypedRow]) -> [Fields.Problem] = { draft, typed in
      let stored = draft[keyPath: rows]
      var problems: [Fields.Problem] = []
      if typed.count > limit {
        problems.append(
          Fields.Problem(name, Text("error.too-many-rows", ["limit": String(limit)])))
      }
      draft[keyPath: rows] = typed.enumerated().map { index, typedRow in
        let origin = typedRow.origin.flatMap { stored.indices.contains($0) ? stored[$0] : nil }
        var row = origin ?? form.blank
        for (single, value) in zip(singles, typedRow.values) {
          if let text = single.read(&row, value) {
            problems.append(Fields.Problem("\(name)_\(single.control.name)-\(index + 1)", text))
          }
        }
        for case .some(let problem) in form.checks.rules.map({ $0(row) }) {
          problems.append(Fields.Problem("\(name)_\(problem.field)-\(index + 1)", problem.text))
        }
        return row
      }
      return problems
    }
    let encode: @Sendable (Draft) -> [[UInt8]] = { $0[keyPath: rows].map(form.encoded) }
    let decode: @Sendable (inout Draft, [[UInt8]]) throws -> Void = { draft, encoded in
      draft[keyPath: rows] = try encoded.map { try form.decoded($0) }
    }
    return .rows(
      Rows(
        name: name, limit: limit, columns: singles.map { $0.control.inRow(of: name) },
        blank: singles.map { $0.text(form.blank) }, module: nil,
        texts: { draft in draft[keyPath: rows].map { row in singles.map { $0.text(row) } } },
        read: read, encode: encode, decode: decode,
        json: { draft in .array(draft[keyPath: rows].map { form.json($0) }) },
        excerpted: ExcerptField(
          rows, write: { $1.write(Rows.joined(encode($0))) },
          read: { try decode(&$0, Rows.split($1.bytes())) })))
  }
}
