import PolyclinicCharts
import PolyclinicCore

/// A dose that was taken.
struct Dose: Resealable {
  var amount: Double?
  var takenAt: ZonedTime?
  var unknown = Sealed.UnknownFields()

  static let form: Form<Dose> = Form(
    Dose(),
    .decimal(\.amount, "amount", in: 0.01...10_000, required: true),
    .dateTime(\.takenAt, "taken_at", required: true))

  /// The doses of each medication, in a table of their own.
  static let rows = SealedRows("medications_doses", of: Medication.records, form: form)

  /// Returns the amounts over time; nil without doses.
  static func chart(of doses: [Dose], _ context: Context) -> Chart? {
    let points = doses.compactMap { dose in
      dose.takenAt.map { Chart.Point(at: $0.instant, value: dose.amount ?? 0) }
    }.sorted { $0.at < $1.at }
    guard let first = points.first, let last = points.last else { return nil }
    let title = context.text("dose.chart")
    return Chart(
      title: title, summary: context.text("dose.count", count: points.count),
      lines: [Chart.Line(title, points)],
      span: first.at..<last.at + .days(1), gap: .days(2))
  }
}

/// The form for a dose of one medication.
struct NewDose: RoutedForm {
  static let address: Address<ID<Medication>> = "/medications/{id}/dose"
  static let title: Text = "dose.title"
  static let form = Dose.form
  static let cancel: Path = "/medications/{id}"

  private let medication: ID<Medication>

  init(_ context: Context) throws { medication = try Self.address.value(in: context) }

  func save(_ dose: Dose, in context: Context) throws -> Redirect {
    try Dose.rows.insert(dose, of: medication, in: context)
    return Redirect(to: "/medications/\(medication)")
  }
}
