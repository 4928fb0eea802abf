import PolyclinicCore

/// The administrator's pages for the doctors of a department.
enum DoctorAdministration {
  static func show(_ context: Context) throws -> Response {
    let placement = try DoctorPlacement.inPath(context)
    let (doctor, department, clinic) = (
      placement.doctor, placement.department, placement.clinic
    )
    let details = DoctorAdministrationPage(
      doctor: doctor, department: department, clinic: clinic,
      hours: try WorkingHours.find(of: doctor.id, in: context),
      specialHours: try SpecialHours.upcoming(of: .doctor(doctor.id), in: clinic.zone, context),
      booked: try OpenBookings.with(doctor.id, after: context.now, in: context),
      outsideHours: try BookingsOutsideHoursPages.ofDoctor.find(context),
      context: context)
    return .page(try details.page)
  }

  static func load(_ context: Context) throws -> DoctorDraft {
    let doctor = try DoctorPlacement.inPath(context).doctor
    return try DoctorDraft(doctor, by: context.portal.keys)
  }

  static func update(
    _ draft: DoctorDraft, _ context: Context
  ) throws -> Path {
    let doctor = try DoctorPlacement.inPath(context).doctor
    try draft.update(doctor, in: context.with(context.portal.keys))
    return "admin/doctors/\(doctor.id)"
  }

  static func loadHours(_ context: Context) throws -> WorkingHoursDraft {
    let doctor = try DoctorPlacement.inPath(context).doctor
    return WorkingHoursDraft(try WorkingHours.find(of: doctor.id, in: context))
  }

  /// Returns the hours in the form in words, and a button that renews them without saving.
  static func hoursInWords(_ context: Context) throws -> HTML? {
    var draft = try loadHours(context)
    if context.request.method == .post {
      let (typed, problems) = try WorkingHoursDraft.form.draft(from: context.request.fields)
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

  static func updateHours(
    _ draft: WorkingHoursDraft, _ context: Context
  ) throws -> Path {
    let doctor = try DoctorPlacement.inPath(context).doctor.id
    try draft.hours.replace(of: doctor, in: context)
    return try BookingsOutsideHoursPages.ofDoctor.find(context).next
  }

  static func disableQuestion(_ placement: DoctorPlacement, _ context: Context) throws -> HTML {
    let (doctor, clinic) = (placement.doctor, placement.clinic)
    let booked = try OpenBookings.with(doctor.id, after: context.now, in: context)
    let name = try doctor.name.shown(context)
    let waiting = try WaitingList.schedule(of: doctor.id, in: context)
      .waiting(at: context.now).count
    let told: HTML? =
      waiting == 0
      ? nil : "<p>\(context.text("admin.doctor.disable.waiting", count: waiting))</p>"
    return """
      <p>\(context.text("admin.doctor.disable.question", ["name": name]))</p>\
      \(booked.sentence(in: clinic.zone, context))\(told)\
      <p class="hint">\(context.text("admin.close.hint"))</p>
      """
  }

  static func disable(
    _ placement: DoctorPlacement, _ context: Context
  ) throws -> Path {
    let doctor = placement.doctor.id
    try Doctor.disable(doctor, in: context)
    return "admin/doctors/\(doctor)"
  }

  static func enable(_ context: Context) throws -> Path {
    let doctor = try DoctorPlacement.inPath(context).doctor
    // A doctor who cannot sign in would not see the booked patients.
    if let person = doctor.person,
      try !context.portal.people.acts(person, as: .doctor, in: context)
    {
      throw Refusal.conflict("admin.doctor.cannot-act")
    }
    try Doctor.enable(doctor.id, in: context)
    return "admin/doctors/\(doctor.id)"
  }

  static func deleteQuestion(_ placement: DoctorPlacement, _ context: Context) throws -> HTML {
    let (doctor, clinic) = (placement.doctor, placement.clinic)
    let booked = try OpenBookings.with(doctor.id, after: context.now, in: context)
    let name = try doctor.name.shown(context)
    return """
      <p>\(context.text("admin.doctor.delete.question", ["name": name]))</p>\
      \(booked.obstacle(
        in: clinic.zone, instead: "admin.doctor.disable",
        at: doctor.disabledAt == nil
          ? "/appointments/admin/doctors/\(doctor.id)/disable" : nil, context))
      """
  }

  static func delete(
    _ placement: DoctorPlacement, _ context: Context
  ) throws -> Path {
    try Doctor.delete(placement.doctor.id, in: context)
    return "admin/departments/\(placement.department.id)"
  }
}
