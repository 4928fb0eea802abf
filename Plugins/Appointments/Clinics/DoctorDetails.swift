import PolyclinicCore

/// One doctor with the working hours, and what an administrator can do.
struct DoctorDetails {
  let doctor: Doctor
  let department: Department
  let clinic: Clinic
  let hours: WorkingHours
  let exceptions: [ExceptionRun]
  let booked: Booked
  /// What lies outside the hours.
  let displaced: Displaced
  let context: Context

  private var path: Path { "/appointments/admin/doctors/\(doctor.id)" }

  var page: Page {
    get throws {
      let name = try doctor.name.opened(by: context.portal.keys)
      return Page(
        "admin.doctor.title",
        """
        <div class="title"><h1><bdi>\(name)</bdi></h1>\
        <span>\(Self.marks(of: doctor, context))</span></div>\(disabled)\
        <dl class="details">\(try facts)</dl>\(booked.sentence(in: clinic.zone, context))\
        \(DisplacedView.notice(of: displaced, context))\
        <p class="actions">\(link("admin.edit", "\(path)/edit"))\(ending)</p>\
        <h2>\(context.text("admin.hours.title"))</h2>\(week)\
        <p class="actions">\(link("admin.hours.edit", "\(path)/hours"))</p>\
        <h2>\(context.text("admin.exceptions"))</h2>\
        \(ExceptionViews.list(exceptions, empty: "admin.exceptions.none", clinic.zone, context))\
        <p class="actions">\(link("admin.exceptions.new", "\(path)/exceptions/new"))</p>
        """,
        back: "admin/departments/\(department.id)", hasOwnHeading: true)
    }
  }

  /// Whether nothing can be booked, and whether the account is gone.
  static func marks(of doctor: Doctor, _ context: Context) -> HTML {
    let disabled: HTML? =
      doctor.disabledAt == nil
      ? nil : " <span class=\"badge off\">\(context.text("admin.doctor.disabled"))</span>"
    let gone: HTML? =
      doctor.person != nil
      ? nil : " <span class=\"badge off\">\(context.text("admin.doctor.account-gone"))</span>"
    return "\(disabled)\(gone)"
  }

  private var disabled: HTML? {
    guard let disabledAt = doctor.disabledAt else { return nil }
    let date = context.formats.date(context.formats.day(of: disabledAt))
    let enable: HTML? =
      doctor.person.map { _ in
        context.button(
          "admin.doctor.enable", posts: "\(path)/enable", style: "button secondary small")
      }
    return """
      <div class="notice warning">\
      <p>\(context.text("admin.doctor.is-disabled", ["date": date]))</p>\
      \(enable)</div>
      """
  }

  private var facts: HTML {
    get throws {
      let usual = try context.portal.settings.integer("slot_minutes")
      let slot: Text =
        doctor.slotMinutes == nil ? "admin.doctor.slot.usual" : "admin.doctor.slot.own"
      return """
        <div><dt>\(context.text("admin.department.title"))</dt>\
        <dd>\(context.text(department.specialization.title))</dd></div>\
        <div><dt>\(context.text("admin.clinic.title"))</dt>\
        <dd><bdi>\(clinic.name.string(in: context.language))</bdi></dd></div>\
        <div><dt>\(context.text("admin.doctor.slot"))</dt>\
        <dd>\(context.text(slot, count: doctor.slotMinutes ?? usual))</dd></div>
        """
    }
  }

  private var week: HTML {
    if hours.work.isEmpty {
      return "<p class=\"muted\">\(context.text("admin.hours.none"))</p>"
    }
    return """
      <dl class="details">\(each: Weekday.allCases, day)</dl>\
      <p class="hint">\(context.text("admin.hours.zone", ["zone": clinic.zone.identifier]))</p>
      """
  }

  private func day(_ weekday: Weekday) -> HTML {
    let work = times(of: hours.work, on: weekday)
    if work.isEmpty { return HTML() }
    let breaks = times(of: hours.breaks, on: weekday)
    let pause: HTML? =
      breaks.isEmpty
      ? nil
      : """
       <span class="muted">(\(context.text("admin.hours.break", ["times": breaks])))</span>
      """
    return """
      <div><dt>\(context.text(weekday.title))</dt><dd><bdi>\(work)</bdi>\(pause)</dd></div>
      """
  }

  private func times(of spans: [WorkingHours.Span], on weekday: Weekday) -> String {
    DayMinutes.text(spans.filter { $0.weekday == weekday }.compactMap(\.minutes), context)
  }

  private func link(_ label: Text, _ path: Path) -> HTML {
    "<a class=\"button secondary\" href=\"\(path)\">\(context.text(label))</a> "
  }

  private var ending: HTML? {
    if doctor.disabledAt == nil && doctor.person != nil {
      return """
        <a class="button danger secondary" href="\(path)/disable">\
        \(context.text("admin.doctor.disable"))</a>
        """
    }
    return """
      <a class="button danger secondary" href="\(path)/delete">\(context.text("admin.delete"))</a>
      """
  }
}
