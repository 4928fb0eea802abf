import PolyclinicCore
import PolyclinicPlaces

/// The HTML of readings.
enum PressureViews {
  /// Returns “120/80 mmHg”, from left to right in every language. A line may break only before the
  /// unit.
  static func reading(_ pressure: Pressure, _ context: Context) -> HTML {
    """
    <bdi class="reading" dir="ltr">\(pressure.words)</bdi> \
    <small>\(context.text("unit.mmhg"))</small>
    """
  }

  /// Returns the mark of a single reading that is very high, high or low; nil for all others. It
  /// names no class, because guidelines classify averages of several days (ESC 2024, table 5; ESH
  /// 2021), and one high reading does not mean that somebody has hypertension.
  static func mark(_ pressure: Pressure, _ scheme: PressureScheme, _ context: Context) -> HTML? {
    if scheme.isSevere(pressure) { return context.badge("class.very-high", .danger) }
    if scheme.isLow(pressure) { return context.badge("class.low", .waiting) }
    return scheme.isHigh(pressure) ? context.badge("class.high", .waiting) : nil
  }

  /// Returns a badge with the class of an average. In every scheme it is “very high” if the patient
  /// should act today, and “low” for low averages, for which the schemes have no class. Nil for a
  /// child.
  static func badge(_ pressure: Pressure, _ scheme: PressureScheme, _ context: Context) -> HTML? {
    if scheme == .children { return nil }
    if scheme.isSevere(pressure) { return context.badge("class.very-high", .danger) }
    if scheme.isLow(pressure) { return context.badge("class.low", .waiting) }
    let kind = scheme.kind(of: pressure)
    return context.badge(Text("class.\(kind.rawValue)"), kind.tone)
  }

  /// Returns the values that belong to the class of a badge, and the guideline, in one line.
  static func meaning(
    of pressure: Pressure, _ scheme: PressureScheme, _ context: Context
  ) -> HTML {
    if scheme == .children { return source(scheme, context) }
    if scheme.isSevere(pressure) {
      let range = Text("meaning.above", ["low": Pressure.severe.words])
      return "<p class=\"hint\">\(context.text(range))</p>"
    }
    if scheme.isLow(pressure) {
      let range = Text("meaning.below", ["limit": Pressure.low.words])
      return "<p class=\"hint\">\(context.text(range))</p>"
    }
    let range = scheme.meaning(of: scheme.kind(of: pressure))
    let guideline = Text("scheme.\(scheme.rawValue)")
    return "<p class=\"hint\">\(context.text(range)) (\(context.text(guideline)))</p>"
  }

  /// Returns the meaning of the mark of high readings and the source of the classes, with the note
  /// that they are not a diagnosis. For a child it says that other limits apply.
  static func source(_ scheme: PressureScheme, _ context: Context) -> HTML {
    let mark: HTML? = highMark(scheme).map { "\(context.text($0)). " }
    return """
      <p class="hint">\(mark)\(context.text(scheme.source)) \
      \(context.text("pressure.no-diagnosis"))</p>
      """
  }

  /// Returns the meaning of the mark of high readings, such as “High (▲): 135/85 and higher”; nil for a
  /// child.
  static func highMark(_ scheme: PressureScheme) -> Text? {
    scheme.hypertension.map { Text("pressure.mark", ["limit": $0.words]) }
  }

  /// Returns calm advice for severe and for low readings, with the numbers to call, and for high
  /// ones; nil for all others. A severe reading of an earlier day is past. `again` is the button
  /// that leads to another reading.
  static func advice(
    _ pressure: Pressure, at time: ZonedTime?, _ scheme: PressureScheme, _ context: Context,
    again: HTML? = nil
  ) throws -> HTML? {
    let number = emergencyNumber(context)
    if scheme.isLow(pressure) {
      return .advice(
        heading: "\(context.text("low.title"))",
        "<p>\(context.text("low.advice"))</p><p>\(context.text("low.signs", ["number": number]))</p>"
      )
    }
    guard scheme.isSevere(pressure) else {
      return scheme.kind(of: pressure).tone == .danger ? high(context) : nil
    }
    let clinic = try ownClinic(context).flatMap { name, number in
      context.callButton(
        Text("severe.clinic", ["number": number], values: ["name": name]), number)
    }
    guard scheme.isUrgent(pressure, time, at: context.now) else {
      return .advice(
        heading: "\(context.text("severe.past.title"))",
        "<p>\(context.text("severe.past"))</p>\(actions: clinic)", as: .information)
    }
    let ambulance = context.callButton(
      Text("severe.ambulance", ["number": number]), number, style: .danger)
    return .advice(
      heading: "\(context.text("severe.title"))",
      """
      <p>\(context.text("severe.signs", ["number": number]))</p>\(actions: ambulance)\
      <p>\(context.text("severe.again"))</p>\(actions: again)\
      <p>\(context.text("severe.without"))</p>\(actions: clinic)
      """)
  }

  /// Returns the ambulance's number, with the advice about a severe reading folded below it.
  static func folded(_ advice: HTML?, _ context: Context) -> HTML {
    let number = emergencyNumber(context)
    let ambulance = context.callButton(
      Text("severe.ambulance", ["number": number]), number, style: .danger)
    return """
      \(actions: ambulance)<details class="fold"><summary>\(context.text("severe.look"))</summary>\
      \(advice)</details>
      """
  }

  /// Returns the advice for a high reading, which alone is no reason to worry (nhs.uk, "High blood
  /// pressure").
  private static func high(_ context: Context) -> HTML {
    .advice(
      heading: "\(context.text("high.title"))",
      """
      <p>\(context.text("high.advice"))</p>\
      \(actions: context.button(
        "week.title", to: HomeWeekPage.path, style: [.secondary, .small]))
      """)
  }

  /// Returns the name and the telephone number of the person's clinic; nil if no module knows one.
  private static func ownClinic(_ context: Context) throws -> (name: Text.Value, phone: String)? {
    guard let contacts = context.portal.find((any Portal.ClinicContacts).self) else { return nil }
    let person = try context.keys.person
    return try contacts.clinic(of: person, in: context)
  }

  /// Returns the number that calls an ambulance in the portal's country; 112 if it is not known,
  /// because most networks connect it.
  private static func emergencyNumber(_ context: Context) -> String {
    let contacts = context.portal.usefulContacts[context.portal.clinic.country]
    return contacts.first(where: \.isEmergency)?.phone ?? "112"
  }

  /// Returns a link to the advice on the page of a severe reading of the last day; nil for all
  /// others.
  static func adviceLink(
    _ entry: BloodPressure.Entry, _ scheme: PressureScheme, _ context: Context
  ) -> HTML? {
    guard scheme.isUrgent(entry.pressure, entry.time, at: context.now) else { return nil }
    return context.notice(
      .remark, "severe.short", as: .warning,
      action: context.button(
        "severe.look", to: BloodPressurePage.path(entry.id),
        style: [.secondary, .small]))
  }

  /// Returns the pulse, the arm and the beginning of the note, as far as the reading has them.
  static func besides(_ entry: BloodPressure.Entry, _ context: Context) -> HTML {
    let parts: [HTML] = [
      entry.pulse.map { "\(context.text("pressure.pulse", ["pulse": String($0)]))" },
      entry.arm.map { "\(context.text(Text("arm.short.\($0.rawValue)")))" },
      entry.note.isEmpty ? nil : "<bdi>\(utf8: entry.note)</bdi>",
    ].compactMap(\.self)
    return "\(each: parts.enumerated(), { $0.offset == 0 ? $0.element : " · \($0.element)" })"
  }
}
