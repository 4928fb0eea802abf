import PolyclinicCore

/// One department with its doctors, and what an administrator can do with it.
struct DepartmentDetails {
  let department: Department
  let clinic: Clinic
  let doctors: [Doctor]
  let booked: Booked
  let context: Context

  private var path: Path { "/appointments/admin/departments/\(department.id)" }

  var page: Page {
    get throws {
      let mark: HTML? =
        department.closedAt == nil
        ? nil : "<span class=\"badge off\">\(context.text("admin.closed"))</span>"
      return Page(
        "admin.department.title",
        """
        <div class="title"><h1>\(context.text(department.specialization.title))</h1>\(mark)</div>\
        <p class="lead"><bdi>\(clinic.name.string(in: context.language))</bdi></p>\(closed)\
        <h2>\(context.text("admin.doctors"))</h2>\(try doctorList)\
        <p class="actions"><a class="button secondary" href="\(path)/doctors/new">\
        \(context.text("admin.doctor.new"))</a> \(ending)</p>
        """,
        back: "admin/clinics/\(clinic.id)", hasOwnHeading: true)
    }
  }

  private var closed: HTML? {
    guard let closedAt = department.closedAt else { return nil }
    let date = context.formats.date(context.formats.day(of: closedAt))
    return """
      <div class="notice warning"><div>\
      <p>\(context.text("admin.department.is-closed", ["date": date]))</p>\
      \(booked.count == 0 ? nil : booked.sentence(in: clinic.zone, context))</div>\
      \(context.button("admin.reopen", posts: "\(path)/reopen", style: "button secondary small"))</div>
      """
  }

  private var ending: HTML {
    let close: HTML? =
      department.closedAt != nil
      ? nil
      : """
      <a class="button danger secondary" href="\(path)/close">\(context.text("admin.close"))</a>
      """
    let delete: HTML? =
      !doctors.isEmpty
      ? nil
      : """
      <a class="button danger secondary" href="\(path)/delete">\(context.text("admin.delete"))</a>
      """
    return "\(close) \(delete)"
  }

  private var doctorList: HTML {
    get throws {
      if doctors.isEmpty { return "<p class=\"muted\">\(context.text("admin.doctors.none"))</p>" }
      return "<ul class=\"rows\">\(try doctors.map(doctor))</ul>"
    }
  }

  private func doctor(_ doctor: Doctor) throws -> HTML {
    let name = try doctor.name.opened(by: context.portal.keys)
    return """
      <li><a href="/appointments/admin/doctors/\(doctor.id)"><span>\
      <strong><bdi>\(name)</bdi></strong>\(DoctorDetails.marks(of: doctor, context))\
      </span></a></li>
      """
  }
}
