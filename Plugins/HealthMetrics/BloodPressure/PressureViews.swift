import PolyclinicCore

/// How readings are shown.
enum PressureViews {
  /// “120/80 mmHg”, from left to right in every language.
  static func reading(_ pressure: Pressure, _ context: Context) -> HTML {
    """
    <bdi dir="ltr">\(pressure.systolic)/\(pressure.diastolic)</bdi> \(context.text("unit.mmhg"))
    """
  }

  /// Its class, in a word.
  static func badge(_ pressure: Pressure, _ scheme: PressureScheme, _ context: Context) -> HTML {
    let kind = scheme.kind(of: pressure)
    return "<span class=\"\(kind.style)\">\(context.text(Text("class.\(kind.rawValue)")))</span>"
  }

  /// Whose classes they are, and that they are no diagnosis.
  static func source(_ scheme: PressureScheme, _ context: Context) -> HTML {
    """
    <p class="hint">\(context.text(scheme.source)) \
    \(context.text("pressure.no-diagnosis"))</p>
    """
  }

  /// What to do now, in calm words; nil for all but the highest readings.
  static func advice(_ pressure: Pressure, _ context: Context) -> HTML? {
    guard pressure.isSevere else { return nil }
    return """
      <div class="notice warning advice" role="note"><div><h2>\(context.text("severe.title"))</h2>\
      <p>\(context.text("severe.again"))</p><p>\(context.text("severe.signs"))</p>\
      <p>\(context.text("severe.without"))</p></div></div>
      """
  }

  /// Pulse, arm and the beginning of the note, as far as there are such.
  static func besides(_ entry: BloodPressure.Entry, _ context: Context) -> HTML {
    let pulse: HTML? = entry.pulse.map {
      " · \(context.text("pressure.pulse", ["pulse": String($0)]))"
    }
    let arm: HTML? = entry.arm.map { " · \(context.text(Text("arm.short.\($0.rawValue)")))" }
    let note: HTML? = entry.note.isEmpty ? nil : " · <bdi>\(utf8: entry.note)</bdi>"
    return "\(pulse)\(arm)\(note)"
  }
}
