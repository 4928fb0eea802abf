import PolyclinicCore

/// The administrator's page of one doctor: the working hours and actions.
struct DoctorAdministrationPage {
  let doctor: Doctor
  let department: Department
  let clinic: Clinic
  let hours: WorkingHours
  let specialHours: [SpecialHours]
  let booked: OpenBookings
  /// The appointments outside the working hours.
  let outsideHours: BookingsOutsideHours
  let context: Context

  private var path: Path { "/appointments/admin/doctors/\(doctor.id)" }

  var page: Page {
    get throws {
      let name = try doctor.name.shown(context)
      return Page(
        Text("find.named", ["name": name]),
        """
        <div class="title"><h1><bdi>\(name)</bdi></h1>\
        <span>\(Self.marks(of: doctor, context))</span></div>\(disabled)\
        \(try facts)\(booked.sentence(in: clinic.zone, context))\
        \(BookingsOutsideHoursView.notice(of: outsideHours, context))\
        \(actions: link("admin.edit", "\(path)/edit"), ending)\
        <h2>\(context.text("admin.hours.title"))</h2>\(week)\
        \(actions: link("admin.hours.edit", "\(path)/hours"))\
        <h2>\(context.text("admin.exceptions"))</h2>\
        \(SpecialHoursViews.list(
          specialHours, at: .administration, empty: "admin.exceptions.none", context))\
        \(actions: link("admin.exceptions.new", "\(path)/exceptions/new"))
        """,
        back: "admin/departments/\(department.id)", hasOwnHeading: true)
    }
  }

  /// Returns the badges of a disabled doctor and of an erased account.
  static func marks(of doctor: Doctor, _ context: Context) -> HTML {
    let disabled: HTML? =
      doctor.disabledAt == nil
      ? nil : " \(context.badge("admin.doctor.disabled", .off))"
    let gone: HTML? =
      doctor.person != nil
      ? nil : " \(context.badge("admin.doctor.account-gone", .off))"
    return "\(disabled)\(gone)"
  }

  private var disabled: HTML? {
    guard let disabledAt = doctor.disabledAt else { return nil }
    let date = context.formats.date(context.formats.day(of: disabledAt))
    let enable: HTML? =
      doctor.person.map { _ in
        context.button(
          "admin.doctor.enable", posts: "\(path)/enable", style: [.secondary, .small])
      }
    return context.notice(
      .remark, Text("admin.doctor.is-disabled", ["date": date]), as: .warning, action: enable)
  }

  private var facts: HTML {
    get throws {
      let profile = try doctor.name.profile(by: context.portal.keys)
      let usual = try context.portal.settings.integer("slot_minutes")
      let slot: Text =
        doctor.slotMinutes == nil ? "admin.doctor.slot.usual" : "admin.doctor.slot.own"
      return context.facts([
        HTML.Fact(
          "admin.department.title",
          "\(context.text(department.specialization.title))"),
        HTML.Fact("admin.clinic.title", text: clinic.name.string(in: context.language)),
        HTML.Fact(
          "admin.doctor.slot",
          "\(context.text(slot, count: doctor.slotMinutes ?? usual))"),
        HTML.Fact("field.doctor_name", text: try doctor.name.opened(by: context.portal.keys)),
        HTML.Fact("find.languages", text: profile.languageNames(in: context.language)),
        HTML.Fact("find.about", lines: profile.about.string(in: context.language)),
      ])
    }
  }

  private var week: HTML {
    if hours.work.isEmpty {
      return "<p class=\"muted\">\(context.text("admin.hours.none"))</p>"
    }
    return """
      \(context.facts(Weekday.allCases.map(day)))\
      <p class="hint">\(context.text("admin.hours.zone", ["zone": clinic.zone.identifier]))</p>
      """
  }

  private func day(_ weekday: Weekday) -> HTML.Fact? {
    let work = times(of: hours.work, on: weekday)
    if work.isEmpty { return nil }
    let breaks = times(of: hours.breaks, on: weekday)
    let pause: HTML? =
      breaks.isEmpty
      ? nil
      : """
       <span class="muted">(\(context.text("admin.hours.break", ["times": breaks])))</span>
      """
    return HTML.Fact(weekday.title, "<bdi>\(work)</bdi>\(pause)")
  }

  private func times(of spans: [WorkingHours.Span], on weekday: Weekday) -> String {
    DayMinutes.text(spans.filter { $0.weekday == weekday }.compactMap(\.minutes), context)
  }

  private func link(_ label: Text, _ path: Path) -> HTML {
    "\(context.button(label, to: path, style: .secondary)) "
  }

  private var ending: HTML? {
    if doctor.disabledAt == nil && doctor.person != nil {
      return context.button(
        "admin.doctor.disable", to: "\(path)/disable", style: [.danger, .secondary])
    }
    return context.button("admin.delete", to: "\(path)/delete", style: [.danger, .secondary])
  }
}
