/// Several fields are not right: what an answer in JSON lists.
package struct Problems: Error, Sendable {
  /// One for each field, in the order of the form.
  package let list: [Problem]
}

/// Drafts from JSON: by the fields, the rules and the words of the page.
extension Form {
  /// Reads an object over `base`, so that what the form does not show stays as it was. A member that
  /// is missing is as blank as in a new draft; those named in `ignoring` are not looked at.
  ///
  /// Throws ``Problems`` that name what is wrong.
  func draft(
    from json: JSON, over base: Draft, ignoring: Set<String>, _ context: Context
  ) throws -> Draft {
    var (sent, problems) = fields(from: json, ignoring: ignoring)
    guard problems.isEmpty else { throw Problems(list: problems) }
    sent = try rebased(try normalized(sent), onto: base)
    let (draft, misread) = try read(sent, over: base)
    problems = misread.isEmpty ? try choicesNotOffered(in: sent, over: base, context) : misread
    guard problems.isEmpty else { throw Problems(list: problems) }
    return draft
  }

  /// The object's values as a page would send them, and what cannot be a value of its field.
  func fields(from json: JSON, ignoring: Set<String> = []) -> (Fields, [Problem]) {
    guard case .object(let members) = json else {
      return (Fields(), [Problem("", "error.json-kind")])
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

  /// Where in the object the field of a ``Problem`` stands (RFC 6901); empty for the whole.
  func pointer(of field: String) -> String {
    for case .rows(let rows) in leaves where field.hasPrefix(rows.name) {
      if field == rows.name { return "/\(rows.name)s" }
      let parts = field.dropFirst(rows.name.count + 1).split(separator: "-")
      guard let number = parts.last.flatMap({ Int($0) }), parts.count < 3 else { continue }
      return "/\(rows.name)s/\(number - 1)" + (parts.count == 2 ? "/\(parts[0])" : "")
    }
    if field.isEmpty { return "" }
    return "/" + field.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}

/// Makes a page's fields of an object's members.
private struct MemberReader {
  private let members: [JSON.Member]
  private var known: Set<String> = []
  private(set) var fields = Fields()
  private(set) var problems: [Problem] = []

  init(_ members: [JSON.Member]) { self.members = members }

  mutating func read(_ control: Control, blank: String) {
    read(control, blank: blank, as: control.name, from: members, problem: control.name)
    known.insert(control.name)
  }

  mutating func read<Draft>(_ rows: Rows<Draft>) {
    let name = rows.name + "s"
    known.insert(name)
    guard let value = members.first(where: { $0.name.isIdentical(to: name) })?.value, value != .null
    else {
      return
    }
    guard case .array(let values) = value else {
      problems.append(Problem(rows.name, "error.json-kind"))
      return
    }
    // Each row may name problems of its own: no more of them than a page can show.
    guard values.count <= rows.limit else {
      let text = Text("error.too-many-rows", ["limit": String(rows.limit)])
      problems.append(Problem(rows.name, text))
      return
    }
    for (index, value) in values.enumerated() { read(value, of: rows, number: index + 1) }
  }

  private mutating func read<Draft>(_ value: JSON, of rows: Rows<Draft>, number: Int) {
    guard case .object(let members) = value else {
      problems.append(Problem("\(rows.name)-\(number)", "error.json-kind"))
      return
    }
    let first = fields.pairs.count
    for (column, blank) in zip(rows.columns, rows.blank) {
      let name = rows.fieldName(column)
      read(column, blank: blank, as: name, from: members, problem: "\(name)-\(number)")
    }
    let row = TypedRow(
      values: fields.pairs[first...].map { $0.value.allSatisfy(\.isWhitespace) ? "" : $0.value },
      origin: nil)
    // A page leaves an empty row out; a program that sends one has made a mistake.
    if row.values.count == rows.columns.count, rows.isEmpty(row),
      let column = rows.columns.first(where: { $0.isRequired && !$0.isChoice })
    {
      problems.append(Problem("\(rows.fieldName(column))-\(number)", "error.required"))
    }
    let names = Set(rows.columns.map(\.name))
    for member in members where !names.contains(member.name) {
      let field = "\(rows.name)_\(shown(member.name))-\(number)"
      problems.append(Problem(field, "error.unknown-member"))
    }
  }

  private mutating func read(
    _ control: Control, blank: String, as name: String, from members: [JSON.Member],
    problem field: String
  ) {
    let value = members.first { $0.name.isIdentical(to: control.name) }?.value
    // Before it is read as a number: digits by the thousand are none.
    if case .written(let number) = value, number.utf8.count > max(control.limit, 100) {
      return refuseLength(of: field, control)
    }
    guard let text = value.map(control.text) ?? blank else {
      problems.append(Problem(field, "error.json-kind"))
      return
    }
    guard text.unicodeScalars.count <= max(control.limit, blank.unicodeScalars.count) else {
      return refuseLength(of: field, control)
    }
    // A page does not send a box that is not ticked.
    if !control.isCheck || !text.isEmpty { fields.append(name, text) }
  }

  private mutating func refuseLength(of field: String, _ control: Control) {
    problems.append(Problem(field, Text("error.too-long", ["limit": String(control.limit)])))
  }

  mutating func refuseUnknown(besides ignored: Set<String>) {
    for member in members where !known.contains(member.name) && !ignored.contains(member.name) {
      problems.append(Problem(shown(member.name), "error.unknown-member"))
    }
  }

  /// As much of a stranger's name as tells which it is.
  private func shown(_ name: String) -> String { String(name.unicodeScalars.prefix(100)) }
}

extension Control {
  /// The value as it would be typed; nil for one of another kind than the field's.
  fileprivate func text(of value: JSON) -> String? {
    switch (kind, value) {
    case (_, .null): ""
    case (.check, .boolean(let isTicked)): isTicked ? "yes" : ""
    case (.check, _): nil
    // Nothing is null there: an empty text is no day.
    case (.date, .string("")), (.time, .string("")), (.dateTime, .string("")): "-"
    case (_, .string(let text)): text
    case (.number, .written(let number)), (.integer, .written(let number)),
      (.unseen, .written(let number)):
      plainNumber(number)
    default: nil
    }
  }
}

/// A number of JSON as people write it: without an exponent, and without a fraction that is nothing.
/// One that is too long for that stays as it is, and no field understands it.
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
