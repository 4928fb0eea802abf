extension Field {
  /// Returns a field for a moment, to the minute.
  ///
  /// On the page the value is the local time in the clinic's zone, `YYYY-MM-DDTHH:MM`. In JSON and
  /// in storage it is RFC 3339 with the UTC offset. `rule` returns the error of a time that exists.
  ///
  /// An hour repeats when clocks are set back. The form field `offset`, such as `+03:00`, then
  /// selects one of the two moments; without it the first is used.
  public static func dateTime(
    _ value: WritableKeyPath<Draft, ZonedTime?> & Sendable, _ name: String, required: Bool = false,
    hint: Text? = nil, rule: (@Sendable (ZonedTime) -> Text?)? = nil
  ) -> Field {
    .single(
      Single(
        Control(name, .dateTime).asked(required, hint).taking(40, "off"), value,
        print: { $0?.description ?? "" },
        parse: { $0.isEmpty ? .some(nil) : ZonedTime($0).map(Optional.some) },
        misread: "error.date-time",
        json: { $0.map { .string($0.description) } ?? .null },
        coding: .dateTime, rule: { time in time.flatMap { rule?($0) } }))
  }
}

extension Form {
  /// Returns the normalized fields with each local time of a
  /// ``Field/dateTime(_:_:required:hint:rule:)`` resolved to a moment, and an error for each local
  /// time that does not exist in the zone.
  ///
  /// A moment equal to the stored one keeps the stored offset. Editing the note of a measurement
  /// taken on a journey therefore does not change its time of day.
  func taken(
    from sent: Fields, over stored: Draft? = nil, in zone: Zone
  ) throws -> (fields: Fields, problems: [Fields.Problem]) {
    var fields = try normalized(sent)
    var problems: [Fields.Problem] = []
    let before = dateTimes.isEmpty ? nil : stored.map { self.fields(of: $0) }
    for name in dateTimes {
      func time(_ moment: Instant) -> String {
        let kept = before.flatMap { ZonedTime($0[name]) }.flatMap {
          $0.instant == moment ? $0 : nil
        }
        return (kept ?? ZonedTime(moment, in: zone)).description
      }
      guard let local = LocalDateTime(fields[name].replacing(" ", with: "T")) else { continue }
      switch local.moments(in: zone) {
      case .one(let moment): fields.replace(name, time(moment))
      case .two(let early, let late):
        let offset = ZonedTime.offset(sent["offset"])
        let isLate = offset == zone.offset(at: late)
        fields.replace(name, time(isLate ? late : early))
      case .none: problems.append(Fields.Problem(name, "error.no-such-time"))
      }
    }
    return (fields, problems)
  }
}
