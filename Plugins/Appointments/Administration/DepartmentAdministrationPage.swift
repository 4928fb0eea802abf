import PolyclinicCore

/// The administrator's page of one department: its doctors and actions.
struct DepartmentAdministrationPage {
  let department: Department
  let clinic: Clinic
  let doctors: [Doctor]
  let booked: OpenBookings
  let context: Context

  private var path: Path { "/appointments/admin/departments/\(department.id)" }

  var page: Page {
    get throws {
      let mark: HTML? =
        department.closedAt == nil
        ? nil : context.badge("admin.closed", .off)
      let specialization = context.text(department.specialization.title)
      let clinicName = clinic.name.string(in: context.language)
      return Page(
        Text("admin.department.named", ["department": specialization, "clinic": clinicName]),
        """
        <div class="title"><h1>\(specialization)</h1>\(mark)</div>\
        <p class="lead"><bdi>\(clinicName)</bdi></p>\(closed)\
        <h2>\(context.text("admin.doctors"))</h2>\(try doctorList)\
        \(actions:
          context.button("admin.doctor.new", to: "\(path)/doctors/new", style: .secondary),
          ending)
        """,
        back: "admin/clinics/\(clinic.id)", hasOwnHeading: true)
    }
  }

  private var closed: HTML? {
    guard let closedAt = department.closedAt else { return nil }
    let date = context.formats.date(context.formats.day(of: closedAt))
    return .notice(
      .remark,
      """
      <div><p>\(context.text("admin.department.is-closed", ["date": date]))</p>\
      \(booked.count == 0 ? nil : booked.sentence(in: clinic.zone, context))</div>\
      \(context.button("admin.reopen", posts: "\(path)/reopen", style: [.secondary, .small]))
      """, as: .warning)
  }

  private var ending: HTML {
    let close: HTML? =
      department.closedAt != nil
      ? nil
      : context.button("admin.close", to: "\(path)/close", style: [.danger, .secondary])
    let delete: HTML? =
      !doctors.isEmpty
      ? nil
      : context.button("admin.delete", to: "\(path)/delete", style: [.danger, .secondary])
    return "\(close) \(delete)"
  }

  private var doctorList: HTML {
    get throws {
      if doctors.isEmpty { return "<p class=\"muted\">\(context.text("admin.doctors.none"))</p>" }
      return "\(rows: try doctors.map(doctor))"
    }
  }

  private func doctor(_ doctor: Doctor) throws -> HTML {
    let name = try doctor.name.shown(context)
    return .row(
      to: "/appointments/admin/doctors/\(doctor.id)", "<bdi>\(name)</bdi>",
      mark: "\(DoctorAdministrationPage.marks(of: doctor, context))")
  }
}
