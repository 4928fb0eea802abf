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
  /// The button that leads on; nil if the advice has it.
  private let next: Text?
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
    next =
      try scheme.isUrgent(pressure, reading.measuredAt, at: context.now)
      ? nil : Self.next(after: reading, scheme, context)
  }

  /// Returns the label of the button that leads on: a reading of a moment ago may ask for another
  /// one, because it is high or the first of two.
  private static func next(
    after reading: BloodPressure, _ scheme: PressureScheme, _ context: Context
  ) throws -> Text {
    guard let time = reading.measuredAt, time.instant >= context.now - EarlierReading.reach else {
      return "pressure.another"
    }
    if scheme.kind(of: reading.pressure).tone == .danger { return "severe.measure" }
    let isFirst = try EarlierReading.find(context)?.isFirst ?? false
    return isFirst ? "pressure.second" : "pressure.another"
  }

  var page: Page {
    let pulse: HTML? = reading.pulse.map { "\($0)" }
    let time = reading.measuredAt.map { context.formats.dateTime($0.local) } ?? ""
    let facts: [HTML.Fact] = [
      HTML.Fact("field.pulse", pulse),
      HTML.Fact(
        "field.arm",
        reading.arm.isEmpty ? nil : "\(context.text(Text("arm.\(reading.arm)")))"),
      HTML.Fact("field.note", text: reading.note),
    ].compactMap(\.self)
    return Page(
      Text("pressure.one", ["time": time]),
      """
      <h1 class="figure"><span class="hidden-text">\(context.text("pressure.title")): </span>\
      \(PressureViews.reading(pressure, context)) \
      \(PressureViews.mark(pressure, scheme, context))</h1>\
      <p class="secondary-text">\(time)</p>\(advice)\
      \(actions: next.map { context.button($0, to: NewBloodPressure.path) })\
      \(facts.isEmpty ? nil : context.facts(facts))\(PressureViews.source(scheme, context))\
      \(BloodPressure.pages.actions(for: id, editing: .secondary, context))
      """, back: BloodPressureList.path, hasOwnHeading: true)
  }
}
