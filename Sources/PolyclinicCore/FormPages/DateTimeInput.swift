extension FormView {
  /// Returns the input for the local time. In an hour that repeats when clocks are set back, a
  /// choice of the offset follows.
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
