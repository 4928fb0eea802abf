/// The validation errors of a JSON request.
package struct Problems: Error, Sendable {
  /// The errors of all fields, in the order of the form.
  package let list: [Fields.Problem]
}

/// Parsing drafts from JSON, with the same fields, rules and error messages as on the page.
extension Form {
  /// Parses the result of ``fields(from:ignoring:)`` over `base`, so that values without a field in
  /// the form stay unchanged.
  ///
  /// A missing member takes the value of the blank draft. Throws ``Problems`` with the validation
  /// errors.
  func draft(
    from members: (Fields, [Fields.Problem]), over base: Draft, _ context: Context
  ) throws -> Draft {
    var (sent, problems) = members
    guard problems.isEmpty else { throw Problems(list: problems) }
    sent = try rebased(try normalized(sent), onto: base)
    let (draft, misread) = try read(sent, over: base)
    problems = misread.isEmpty ? try choicesNotOffered(in: sent, over: base, context) : misread
    guard problems.isEmpty else { throw Problems(list: problems) }
    return draft
  }

  /// Returns the object's values as a page would send them, and an error for each invalid or
  /// unknown member. Members named in `ignoring` are skipped.
  func fields(from json: JSON, ignoring: Set<String> = []) -> (Fields, [Fields.Problem]) {
    guard case .object(let members) = json else {
      return (Fields(), [Fields.Problem("", "error.json-kind")])
    }
    var reader = MemberReader(members)
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        reader.read(single.control, blank: single.text(blank))
      case .rows(let rows): reader.read(rows)
      case .group: break
      }
    }
    reader.refuseUnknown(besides: ignoring)
    return (reader.fields, reader.problems)
  }

  /// Returns the JSON Pointer (RFC 6901) of a ``Fields/Problem``'s field; empty for the whole
  /// object.
  func pointer(of field: String) -> String {
    for case .rows(let rows) in leaves where field.hasPrefix(rows.name) {
      if field == rows.name { return "/\(rows.membersName)" }
      let parts = field.dropFirst(rows.name.count + 1).split(separator: "-")
      guard let number = parts.last.flatMap({ Int($0) }), parts.count < 3 else { continue }
      return "/\(rows.membersName)/\(number - 1)" + (parts.count == 2 ? "/\(parts[0])" : "")
    }
    if field.isEmpty { return "" }
    return "/" + field.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}

/// Converts the members of a JSON object to the fields of a page.
private struct MemberReader {
  private let members: [JSON.Member]
  private var known: Set<String> = []
  private(set) var fields = Fields()
  private(set) var problems: [Fields.Problem] = []

  init(_ members: [JSON.Member]) { self.members = members }

  mutating func read(_ control: Control, blank: String) {
    let target = Target(control: control, blank: blank, name: control.name, field: control.name)
    read(target, from: members)
    known.insert(control.name)
  }

  mutating func read<Draft>(_ rows: Field<Draft>.Rows) {
    let name = rows.membersName
    known.insert(name)
    guard let value = members.first(where: { $0.name.isIdentical(to: name) })?.value, value != .null
    else {
      return
    }
    guard case .array(let values) = value else {
      problems.append(Fields.Problem(rows.name, "error.json-kind"))
      return
    }
    // Each row can cause several errors; the limit keeps their number to one that a page can show.
    guard values.count <= rows.limit else {
      let text = Text("error.too-many-rows", ["limit": String(rows.limit)])
      problems.append(Fields.Problem(rows.name, text))
      return
    }
    for (index, value) in values.enumerated() { read(value, of: rows, number: index + 1) }
  }

  private mutating func read<Draft>(_ value: JSON, of rows: Field<Draft>.Rows, number: Int) {
    guard case .object(let members) = value else {
      problems.append(Fields.Problem("\(rows.name)-\(number)", "error.json-kind"))
      return
    }
    let first = fields.pairs.count
    for (column, blank) in zip(rows.columns, rows.blank) {
      let name = rows.fieldName(column)
      let field = "\(name)-\(number)"
      read(Target(control: column, blank: blank, name: name, field: field), from: members)
    }
    let row = TypedRow(
      values: fields.pairs[first...].map { $0.value.allSatisfy(\.isWhitespace) ? "" : $0.value },
      origin: nil)
    // A page omits empty rows; an empty row in a request is a mistake of the client.
    if row.values.count == rows.columns.count, rows.isEmpty(row),
      let column = rows.columns.first(where: { $0.isRequired && !$0.isChoice })
    {
      problems.append(Fields.Problem("\(rows.fieldName(column))-\(number)", "error.required"))
    }
    let names = Set(rows.columns.map(\.name))
    for member in members where !names.contains(member.name) {
      let field = "\(rows.name)_\(shown(member.name))-\(number)"
      problems.append(Fields.Problem(field, "error.unknown-member"))
    }
  }

  /// The field that takes the value of a member.
  private struct Target {
    let control: Control
    let blank: String
    let name: String
    /// The field of an error: its name, and in a row the row's number.
    let field: String
  }

  private mutating func read(_ target: Target, from members: [JSON.Member]) {
    let (control, blank, field) = (target.control, target.blank, target.field)
    let value = members.first { $0.name.isIdentical(to: control.name) }?.value
    // Checked before parsing: thousands of digits are not a number.
    if case .written(let number) = value, number.utf8.count > max(control.limit, 100) {
      return refuseLength(of: field, control)
    }
    guard let text = value.map(control.text) ?? blank else {
      problems.append(Fields.Problem(field, "error.json-kind"))
      return
    }
    guard text.unicodeScalars.count <= max(control.limit, blank.unicodeScalars.count) else {
      return refuseLength(of: field, control)
    }
    // Browsers do not send a check box that is not ticked.
    if !control.isCheck || !text.isEmpty { fields.append(target.name, text) }
  }

  private mutating func refuseLength(of field: String, _ control: Control) {
    problems.append(Fields.Problem(field, Text("error.too-long", ["limit": String(control.limit)])))
  }

  mutating func refuseUnknown(besides ignored: Set<String>) {
    for member in members where !known.contains(member.name) && !ignored.contains(member.name) {
      problems.append(Fields.Problem(shown(member.name), "error.unknown-member"))
    }
  }

  /// Returns the beginning of an unknown name, long enough to identify it.
  private func shown(_ name: String) -> String { String(name.unicodeScalars.prefix(100)) }
}

extension Control {
  /// Returns the value as a user would type it; nil for a value of a wrong type.
  fileprivate func text(of value: JSON) -> String? {
    switch (kind, value) {
    case (_, .null): ""
    case (.check, .boolean(let isTicked)): isTicked ? "yes" : ""
    case (.check, _): nil
    // An empty string is not a date or time; a missing one is null.
    case (.date, .string("")), (.time, .string("")), (.dateTime, .string("")): "-"
    case (_, .string(let text)): text
    case (.number, .written(let number)), (.integer, .written(let number)),
      (.unseen, .written(let number)):
      plainNumber(number)
    default: nil
    }
  }
}

/// Returns a JSON number as people write it: without an exponent and without a fraction of zeros. A
/// number that would be too long stays unchanged, and every field refuses it.
private func plainNumber(_ number: String) -> String {
  let parts = number.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
  let exponent = parts.count == 2 ? Int(parts[1]) : 0
  guard let exponent, (-30...30).contains(exponent), let mantissa = parts.first else {
    return number
  }
  let sign = mantissa.hasPrefix("-") ? "-" : ""
  let halves = mantissa.dropFirst(sign.count).split(
    separator: ".", omittingEmptySubsequences: false)
  guard let whole = halves.first, whole.allSatisfy(\.isNumber) else { return number }
  let fraction = halves.count == 2 ? String(halves[1]) : ""
  var digits = whole + fraction
  var point = whole.count + exponent
  if point < 1 {
    digits = String(repeating: "0", count: 1 - point) + digits
    point = 1
  }
  if point > digits.count { digits += String(repeating: "0", count: point - digits.count) }
  let integer = digits.prefix(point).drop { $0 == "0" }
  let rest = digits.dropFirst(point)
  let decimals = String(rest.reversed().drop { $0 == "0" }.reversed())
  return sign + (integer.isEmpty ? "0" : integer) + (decimals.isEmpty ? "" : "." + decimals)
}
