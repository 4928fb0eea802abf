import PolyclinicCore

/// The doctors at whose receptions the visitor works, as a step of a booking.
struct ReceptionDoctors {
  /// The page of the booking, on which each doctor's free times are.
  let base: Path
  let context: Context

  /// Returns the page of the doctors. Each links to the free times.
  func page(_ title: Text = "specialists.doctors", back: Path, above: HTML?) throws -> Page {
    let nobody = context.emptyState(
      .screen, "reception.no-doctors", hint: "reception.no-doctors.hint")
    return Page(title, "\(above)\(try rows ?? nobody)", back: back)
  }

  /// The doctors; nil if none of them sees patients.
  var rows: HTML? {
    get throws {
      let own = try Receptionist.clinics(of: context.signedIn().person, in: context)
      let departments = try Department.open(in: context)
      let doctors = Dictionary(
        grouping: try Doctor.enabled(of: departments.map(\.id), in: context), by: \.department)
      let placements = try own.flatMap { clinic in
        try departments.filter { $0.clinic == clinic.id }.flatMap { department in
          try (doctors[department.id] ?? []).sorted(by: context.portal.keys)
            .map { DoctorPlacement(doctor: $0, department: department, clinic: clinic) }
        }
      }
      if placements.isEmpty { return nil }
      let next = try Availability.next(1, times: 1, of: placements, context)
      return "\(rows: try zip(placements, next).map { try row($0, next: $1.firstTime) })"
    }
  }

  private func row(_ placement: DoctorPlacement, next: Slot?) throws -> HTML {
    var chosen = kept
    chosen.append("doctor", placement.doctor.id.description)
    let next = next.map {
      context.text("specialists.next", ["time": BookingText.shortDateTime($0, context)])
    }
    return .row(
      to: base.query(chosen),
      "<bdi>\(try placement.doctor.name.shown(context))</bdi>",
      detail: "\(placement.place(context))<br>\(next ?? context.text("specialists.next.none"))")
  }

  /// Returns the page of the free times of the doctor in the query.
  func times(above: HTML?) throws -> Response {
    try FreeTimePages(base: base, back: base.query(kept), above: above, kept: kept)
      .show(FreeTimePages.doctor(context), context)
  }

  /// The chosen patient, whom the links carry along.
  private var kept: Fields {
    let patient = context.request.query[SealedSearchValue.field]
    return patient.isEmpty ? Fields() : Fields([SealedSearchValue.field: patient])
  }
}
