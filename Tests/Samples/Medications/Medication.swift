import PolyclinicCore

/// A medicine that a person takes at one time of the day.
struct Medication: Resealable {
  var name = ""
  var dose = ""
  var time = TimeOfDay.morning
  /// The last day of the treatment; nil if it has no end.
  var until: CalendarDate?
  var unknown = Sealed.UnknownFields()

  enum TimeOfDay: String, CaseIterable, Sendable { case morning, noon, evening, night }

  /// The fields of a medication, for the page, for JSON, and for storage.
  static let form: Form<Medication> = Form(
    Medication(),
    .text(\.name, "name", required: true, limit: 200, autocomplete: "off"),
    .text(\.dose, "dose", limit: 100, autocomplete: "off", hint: "field.dose.hint"),
    .choice(\.time, "time"),
    .date(\.until, "until", autocomplete: "off"))

  /// The stored medications, and the fields that the list and the card read.
  static let records = Records(
    "medications", id: "id_medication", form: form,
    index: form.excerpt(
      in: "medications_index", \.name, \.dose, \.time, \.until, by: \.name),
    title: \.name,
    alongside: { medication, id, work in
      try work.run(
        "UPDATE medications SET last_day = \(medication.until) WHERE id_medication = \(id)")
    })

  /// Returns true if the medicine is taken on that day.
  func isDue(on day: CalendarDate) -> Bool { until.map { day <= $0 } ?? true }
}
