extension Field {
  /// A moment to the minute: on the page what a clock where the clinic is shows, `YYYY-MM-DDTHH:MM`; in
  /// JSON, and where it is stored, as RFC 3339 writes it, with its offset. `rule` says what is wrong with
  /// one that exists.
  ///
  /// Where clocks are set back an hour comes twice: the field `offset`, such as `+03:00`, says which of
  /// both is meant, and without it the first is.
  public static func dateTime(
    _ value: WritableKeyPath<Draft, ZonedTime?> & Sendable, _ name: String, required: Bool = false,
    hint: Text? = nil, rule: (@Sendable (ZonedTime) -> Text?)? = nil
  ) -> Field {
    var control = Control(name, .dateTime)
    control.isRequired = required
    control.limit = 40
    control.hint = hint
    control.autocomplete = "off"
    return .single(
      Single(
        control, value,
        print: { $0?.description ?? "" },
        parse: { $0.isEmpty ? .some(nil) : ZonedTime($0).map(Optional.some) },
        misread: "error.date-time",
        json: { $0.map { .string($0.description) } ?? .null },
        rule: { time in time.flatMap { rule?($0) } }))
  }
}

extension Form {
  /// What was sent, normalized, with the clock times of its ``Field/dateTime(_:_:required:hint:rule:)``
  /// as moments; and those that no clock where the clinic is shows.
  ///
  /// A moment that is the stored one keeps the offset at which it was stored: whoever changes a note of a
  /// measurement from a journey does not change when in the day it was taken.
  func taken(
    from sent: Fields, over stored: Draft? = nil, in zone: Zone
  ) throws -> (fields: Fields, problems: [Problem]) {
    var fields = try normalized(sent)
    var problems: [Problem] = []
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
      case .none: problems.append(Problem(name, "error.no-such-time"))
      }
    }
    return (fields, problems)
  }
}

extension Control {
  var isDateTime: Bool { if case .dateTime = kind { true } else { false } }
}

extension FormView {
  /// The clock's time, and below it, where clocks are set back in that hour, which of both it is.
  func dateTime(_ name: String, _ id: String, value: String, _ common: HTML) -> HTML {
    let time = ZonedTime(value)
    let zone = context.formats.timeZone
    let local = time.map { LocalDateTime($0.instant, in: zone) }
    return """
      <input type="datetime-local"\(common) value="\(local?.description ?? value)">\
      \(which(local, chosen: time?.instant, id, zone))
      """
  }

  private func which(
    _ local: LocalDateTime?, chosen: Instant?, _ id: String, _ zone: Zone
  ) -> HTML? {
    guard let local, case .two(let early, let late) = local.moments(in: zone) else { return nil }
    let choices = [(early, Text("form.offset.before")), (late, "form.offset.after")]
    return """
      <label class="offset" for="\(id)-offset">\(context.text("form.offset"))</label>\
      <select id="\(id)-offset" name="offset">\(each: choices, { moment, label in
        "<option value=\"\(ZonedTime.written(zone.offset(at: moment)))\"\(attribute: " selected", if: moment == chosen)>\(context.text(label, ["offset": ZonedTime.written(zone.offset(at: moment))]))</option>"
      })</select>
      """
  }
}
