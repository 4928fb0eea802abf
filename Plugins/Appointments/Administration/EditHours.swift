import PolyclinicCore

/// The form that changes a doctor's weekly hours.
struct EditHours: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/hours"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.hours.title"
  static let form = WorkingHoursDraft.form
  static let cancel = DoctorAdministration.address.pattern
  static let isVersioned = true

  private let placement: DoctorPlacement
  private let context: Context
  let start: WorkingHoursDraft

  init(_ context: Context) throws {
    self.context = context
    placement = try DoctorPlacement.inPath(context)
    start = WorkingHoursDraft(try WorkingHours.find(of: placement.doctor.id, in: context))
  }

  /// The hours in the form in words, and a button that renews them without saving.
  var about: HTML? {
    get throws {
      var draft = start
      if context.request.method == .post {
        let (typed, problems) = try Self.form.draft(from: context.request.fields)
        if !problems.isEmpty { return nil }
        draft = typed
      }
      let hours = WeeklyHours(draft.hours)
      let words: HTML =
        hours.isEmpty ? "<dd>\(context.text("admin.hours.none"))</dd>" : hours.lines(context)
      let renew = context.submit(
        "admin.hours.preview.renew", name: "add", value: "preview", style: [.secondary, .small])
      return context.facts([
        HTML.Fact("admin.hours.preview", values: "\(words)<dd>\(renew)</dd>")
      ])
    }
  }

  func save(_ draft: WorkingHoursDraft, in context: Context) throws -> Redirect {
    try draft.hours.replace(of: placement.doctor.id, in: context)
    return Redirect(to: try DoctorOutsideHours.find(placement, in: context).next)
  }
}

extension WorkingHours {
  /// Replaces the stored hours of a doctor with these.
  func replace(of doctor: ID<Doctor>, in work: Work) throws {
    // Calls that are due are stored first, because the change would otherwise rewrite past ones.
    try WaitingList.settle([doctor], in: work)
    try work.run("DELETE FROM appointments_hours WHERE doctor = \(doctor)")
    for (kind, spans) in [(DoctorSchedule.Hours.Kind.work, self.work), (.break, breaks)] {
      for span in spans {
        guard let minutes = span.minutes else { continue }
        try work.run(
          """
          INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
          VALUES (\(doctor), \(span.weekday.number), \(minutes.lowerBound), \(minutes.upperBound),
            \(kind.rawValue))
          """)
      }
    }
  }
}
