extension Field {
  /// Returns a field for a whole number within bounds, in the digits of any script. Its error for
  /// any other text names the `example`, or else a number within the bounds.
  public static func integer(
    _ value: WritableKeyPath<Draft, Int?> & Sendable, _ name: String, in range: ClosedRange<Int>,
    required: Bool = false, hint: Text? = nil, example: Int? = nil,
    rule: (@Sendable (Int) -> Text?)? = nil
  ) -> Field {
    var control = Control(name, .integer).asked(required, hint).taking(30)
    control.range = Double(range.lowerBound)...Double(range.upperBound)
    return .single(
      Single(
        control, value,
        print: { $0.map { String($0) } ?? "" },
        parse: { $0.isEmpty ? .some(nil) : Int(written: $0).map(Optional.some) },
        misread: Text("error.integer", ["example": String(example ?? Self.example(in: range))]),
        json: { $0.map { .integer(Int64($0)) } ?? .null },
        coding: .integer(in: range),
        rule: { number in
          number.flatMap {
            range.contains($0)
              ? rule?($0) : outside("\(range.lowerBound)", "\(range.upperBound)")
          }
        }))
  }

  /// Returns a field for a number within bounds, with a decimal point or comma, in the digits of
  /// any script.
  public static func decimal(
    _ value: WritableKeyPath<Draft, Double?> & Sendable, _ name: String,
    in range: ClosedRange<Double>, required: Bool = false, hint: Text? = nil,
    rule: (@Sendable (Double) -> Text?)? = nil
  ) -> Field {
    var control = Control(name, .number).asked(required, hint).taking(30)
    control.range = range
    return decimal(value, control, rule)
  }

  /// Returns a hidden field for a number within bounds that a script fills in, such as a device's
  /// measurement.
  public static func unseen(
    _ value: WritableKeyPath<Draft, Double?> & Sendable, _ name: String,
    in range: ClosedRange<Double>
  ) -> Field {
    var control = Control(name, .unseen).taking(30)
    control.range = range
    return decimal(value, control)
  }

  private static func decimal(
    _ value: WritableKeyPath<Draft, Double?> & Sendable, _ control: Control,
    _ rule: (@Sendable (Double) -> Text?)? = nil
  ) -> Field {
    .single(
      Single(
        control, value,
        print: { $0.map(printed) ?? "" },
        parse: { $0.isEmpty ? .some(nil) : Double(written: $0).map(Optional.some) },
        misread: "error.number",
        json: { $0.map { .number($0) } ?? .null },
        rule: { number in
          guard let number, let range = control.range else { return nil }
          return range.contains(number)
            ? rule?(number) : outside(printed(range.lowerBound), printed(range.upperBound))
        }))
  }

  /// Returns a field for a time of day, `HH:MM`. `rule` returns the error of a time that exists.
  public static func time(
    _ value: WritableKeyPath<Draft, TimeOfDay?> & Sendable, _ name: String,
    required: Bool = false, hint: Text? = nil, rule: (@Sendable (TimeOfDay) -> Text?)? = nil
  ) -> Field {
    .single(
      Single(
        Control(name, .time).asked(required, hint).taking(5), value,
        print: { $0?.description ?? "" },
        parse: { $0.isEmpty ? .some(nil) : TimeOfDay($0).map(Optional.some) },
        misread: "error.time",
        json: { $0.map { .string($0.description) } ?? .null },
        rule: { time in time.flatMap { rule?($0) } }))
  }

  /// Returns a number that fits into a field for numbers from 1 and into a field for measurements.
  private static func example(in range: ClosedRange<Int>) -> Int {
    range.lowerBound <= 1
      ? max(1, range.lowerBound) : min(max(72, range.lowerBound), range.upperBound)
  }

  /// Returns the number without a fraction of zero: 72, not 72.0, as the user typed it.
  private static func printed(_ number: Double) -> String {
    let text = String(number)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func outside(_ from: String, _ to: String) -> Text {
    Text("error.range", ["from": from, "to": to])
  }
}
