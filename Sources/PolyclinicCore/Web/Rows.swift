/// A row as it was typed.
struct TypedRow: Sendable {
  var values: [String]
  /// The row's place in the draft, from 0; nil for a new one.
  var origin: Int?
}

/// Fields that repeat: each row is a draft of its own, and rows can be added and removed.
///
/// An object, as ``Single`` is.
public final class Rows<Draft: Sendable>: Sendable {
  /// What a row's fields begin with: `method` makes `method_type` and `method_value`.
  let name: String
  let limit: Int
  /// The controls of one row, named without the prefix and labelled with it: `field.method_type`.
  let columns: [Control]
  /// What they are called in the page, such as `method_value`.
  let fieldNames: [String]
  /// The hidden field that names the place a row came from.
  let originName: String
  /// The values of a row in which nothing is filled in, in the order of the columns.
  let blank: [String]
  /// Whose words it speaks; nil for the module that shows it.
  private let module: ModuleID?
  /// Each row's values as text, in the order of the columns.
  let texts: @Sendable (Draft) -> [[String]]
  /// Takes rows as they were typed. A row that came from the draft names its place there, so that
  /// what other releases stored in it stays with it.
  let read: @Sendable (inout Draft, [TypedRow]) -> [Problem]
  let encode: @Sendable (Draft) -> [[UInt8]]
  let decode: @Sendable (inout Draft, [[UInt8]]) throws -> Void
  let json: @Sendable (Draft) -> JSON

  /// The row's field as it is called in the page: `method_value`.
  func fieldName(_ column: Control) -> String { "\(name)_\(column.name)" }

  convenience init<Row: Sendable>(
    _ rows: WritableKeyPath<Draft, [Row]> & Sendable, _ name: String, limit: Int, of form: Form<Row>
  ) {
    let singles = form.singles
    let read: @Sendable (inout Draft, [TypedRow]) -> [Problem] = { draft, typed in
      let stored = draft[keyPath: rows]
      var problems: [Problem] = []
      if typed.count > limit {
        problems.append(Problem(name, Text("error.too-many-rows", ["limit": String(limit)])))
      }
      draft[keyPath: rows] = typed.enumerated().map { index, typedRow in
        let origin = typedRow.origin.flatMap { stored.indices.contains($0) ? stored[$0] : nil }
        var row = origin ?? form.blank
        for (single, value) in zip(singles, typedRow.values) {
          if let text = single.read(&row, value) {
            problems.append(Problem("\(name)_\(single.control.name)-\(index + 1)", text))
          }
        }
        for case .some(let problem) in form.rules.map({ $0(row) }) {
          problems.append(Problem("\(name)_\(problem.field)-\(index + 1)", problem.text))
        }
        return row
      }
      return problems
    }
    self.init(
      name: name, limit: limit, columns: singles.map { $0.control.inRow(of: name) },
      blank: singles.map { $0.text(form.blank) }, module: nil,
      texts: { draft in draft[keyPath: rows].map { row in singles.map { $0.text(row) } } },
      read: read,
      encode: { draft in draft[keyPath: rows].map(form.encoded) },
      decode: { draft, encoded in draft[keyPath: rows] = try encoded.map(form.decoded) },
      json: { draft in .array(draft[keyPath: rows].map(form.json)) })
  }

  private init(
    name: String, limit: Int, columns: [Control], blank: [String], module: ModuleID?,
    texts: @escaping @Sendable (Draft) -> [[String]],
    read: @escaping @Sendable (inout Draft, [TypedRow]) -> [Problem],
    encode: @escaping @Sendable (Draft) -> [[UInt8]],
    decode: @escaping @Sendable (inout Draft, [[UInt8]]) throws -> Void,
    json: @escaping @Sendable (Draft) -> JSON
  ) {
    self.name = name
    self.limit = limit
    self.columns = columns
    fieldNames = columns.map { "\(name)_\($0.name)" }
    originName = "\(name)_row"
    self.blank = blank
    self.module = module
    self.texts = texts
    self.read = read
    self.encode = encode
    self.decode = decode
    self.json = json
  }

  /// The label of the whole, of one of its fields, or of the button that adds a row.
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
      encode: encode, decode: decode, json: json)
  }

  func within<Whole: Sendable>(
    get: @escaping @Sendable (Whole) -> Draft, set: @escaping @Sendable (inout Whole, Draft) -> Void
  ) -> Rows<Whole> {
    let (texts, read, encode, decode, json) = (texts, read, encode, decode, json)
    return Rows<Whole>(
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
      json: { json(get($0)) })
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
  /// Rows of another form's fields, at most `limit`; a row in which nothing is typed is left out.
  ///
  /// With the name `time` and a column `at`, words are `field.time`, `field.time.add` and `field.time_at`, the
  /// page sends `time_at` once a row, and JSON has `"times": [{"at": …}]`.
  public static func rows<Row: Sendable>(
    _ rows: WritableKeyPath<Draft, [Row]> & Sendable, _ name: String, limit: Int, of form: Form<Row>
  ) -> Field {
    .rows(Rows(rows, name, limit: limit, of: form))
  }
}
