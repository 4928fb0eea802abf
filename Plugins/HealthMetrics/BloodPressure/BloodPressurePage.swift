import PolyclinicCore

/// The page of one reading.
struct BloodPressurePage {
  let id: ID<BloodPressure>
  let reading: BloodPressure
  let scheme: PressureScheme
  let context: Context

  var page: Page {
    get throws {
      let pressure = Pressure(systolic: reading.systolic ?? 0, diastolic: reading.diastolic ?? 0)
      let pulse: HTML? = reading.pulse.map { "\($0)" }
      let time = reading.measuredAt.map { context.formats.dateTime($0.local) } ?? ""
      let facts: [(Text, HTML?)] = [
        ("pressure.value", PressureViews.reading(pressure, context)),
        ("pressure.class", PressureViews.badge(pressure, scheme, context)), ("field.pulse", pulse),
        ("field.arm", reading.arm.isEmpty ? nil : "\(context.text(Text("arm.\(reading.arm)")))"),
        ("field.measured_at", "\(time)"),
        ("field.note", reading.note.isEmpty ? nil : "<bdi>\(reading.note)</bdi>"),
      ]
      return Page(
        Text("pressure.one", ["time": time]),
        """
        \(try PressureViews.advice(pressure, scheme, context))\
        \(MetricsViews.details(
        facts, besides: PressureViews.source(scheme, context), next: again(after: pressure),
        of: "\(MetricsKind.bloodPressure.path)/\(id)", context))
        """, back: "blood-pressure")
    }
  }

  /// Returns the button for another reading, which is the next step after a severe one.
  private func again(after pressure: Pressure) -> HTML? {
    guard pressure.isSevere else { return nil }
    return context.button("severe.measure", to: "\(MetricsKind.bloodPressure.path)/new")
  }
}
