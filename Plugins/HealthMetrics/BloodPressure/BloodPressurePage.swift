import PolyclinicCore

/// The page of one reading.
struct BloodPressurePage: RoutedPage {
  static let address = BloodPressure.pages.one
  static let linkTitle: Text? = "pressure.page"

  private let id: ID<BloodPressure>
  private let reading: BloodPressure
  private let pressure: Pressure
  private let scheme: PressureScheme
  private let advice: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    reading = try BloodPressure.records.load(context)
    pressure = reading.pressure
    scheme = try Preferences.find(in: context).classes(context)
    advice = try PressureViews.advice(
      pressure, at: reading.measuredAt, scheme, context,
      again: context.button("severe.measure", to: NewBloodPressure.path, style: .secondary))
  }

  var page: Page {
    let pulse: HTML? = reading.pulse.map { "\($0)" }
    let time = reading.measuredAt.map { context.formats.dateTime($0.local) } ?? ""
    let facts: [(Text, HTML?)] = [
      (
        "pressure.value",
        """
        \(PressureViews.reading(pressure, context)) \
        \(PressureViews.mark(pressure, scheme, context))
        """
      ), ("field.pulse", pulse),
      ("field.arm", reading.arm.isEmpty ? nil : "\(context.text(Text("arm.\(reading.arm)")))"),
      ("field.measured_at", "\(time)"),
      ("field.note", reading.note.isEmpty ? nil : "<bdi>\(reading.note)</bdi>"),
    ]
    return Page(
      Text("pressure.one", ["time": time]),
      """
      \(advice)\(context.facts(facts.map { HTML.Fact($0, $1) }))\
      \(PressureViews.source(scheme, context))\
      \(BloodPressure.pages.actions(
        for: id, editing: scheme.isSevere(pressure) ? .secondary : [], context))
      """, back: BloodPressureList.path)
  }
}
