import PolyclinicCore

/// The administrator's page of one doctor: the working hours and actions.
struct DoctorAdministration: RoutedPage {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}"
  static let enabling: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/enable"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "booking.doctor"

  private let placement: DoctorPlacement
  /// The name in the reader's language, and the public name.
  private let (name, publicName): (String, String)
  private let profile: DoctorProfile
  /// The length of an appointment in minutes.
  private let slotMinutes: Int
  private let hours: WorkingHours
  private let specialHours: [SpecialHours]
  private let booked: OpenBookings
  private let outsideHours: BookingsOutsideHours
  private let context: Context

  private var doctor: Doctor { placement.doctor }

  init(_ context: Context) throws {
    self.context = context
    placement = try DoctorPlacement.inPath(context)
    let doctor = placement.doctor
    name = try doctor.name.shown(context)
    publicName = try doctor.name.opened(by: context.portal.keys)
    profile = try doctor.name.profile(by: context.portal.keys)
    slotMinutes = try doctor.slotMinutes ?? context.portal.settings.integer("slot_minutes")
    hours = try WorkingHours.find(of: doctor.id, in: context)
    specialHours = try SpecialHours.upcoming(
      of: .doctor(doctor.id), in: placement.clinic.zone, context)
    booked = try OpenBookings(with: doctor.id, in: context)
    outsideHours = try DoctorOutsideHours.find(placement, in: context)
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
    return path(doctor.id)
  }

  var page: Page {
    var page = Page(
      Text("find.named", ["name": name]),
      """
      <div class="title">\(heading)<span>\(doctor.marks(context))</span></div>\
      \(disabled)\(facts)\(booked.sentence(in: placement.clinic.zone, context))\
      \(outsideHours.notice(context))\
      \(actions:
        [context.secondaryButton("admin.edit", to: EditDoctor.path(doctor.id))]
          + (doctor.person == nil ? [] : DoctorPhotoAdministration.buttons(for: doctor, context))
          + [ending])\
      <h2>\(context.text("admin.hours.title"))</h2>\(week)\
      \(actions:
        context.secondaryButton("admin.hours.edit", to: EditHours.path(doctor.id)))\
      <h2>\(context.text("admin.exceptions"))</h2>\
      \(specialHours.list(SpecialHoursPage.address, empty: "admin.exceptions.none", context))\
      \(actions:
        context.secondaryButton("admin.exceptions.new", to: NewSpecialHours.path(doctor.id)))
      """,
      back: DepartmentAdministration.path(placement.department.id), hasOwnHeading: true)
    page.backLabel = placement.department.specialization.title
    return page
  }

  private var heading: HTML {
    let title: HTML = "<h1><bdi>\(name)</bdi></h1>"
    return doctor.name.photo.map {
      "<div class=\"with-initial\">\(HTML.avatar(of: name, photo: $0))\(title)</div>"
    } ?? title
  }

  private var disabled: HTML? {
    guard let disabledAt = doctor.disabledAt else { return nil }
    let date = context.formats.date(context.formats.day(of: disabledAt))
    let enable = doctor.person.map { _ in
      context.button(
        "admin.doctor.enable", posts: Self.enabling.path(doctor.id), style: [.secondary, .small])
    }
    return context.notice(
      .remark, Text("admin.doctor.is-disabled", ["date": date]), as: .warning, action: enable)
  }

  private var facts: HTML {
    let slot: Text =
      doctor.slotMinutes == nil ? "admin.doctor.slot.usual" : "admin.doctor.slot.own"
    let language = context.language
    return context.facts([
      HTML.Fact(
        "admin.department.title", "\(context.text(placement.department.specialization.title))"),
      HTML.Fact("admin.clinic.title", text: placement.clinic.name.string(in: language)),
      HTML.Fact("admin.doctor.slot", "\(context.text(slot, count: slotMinutes))"),
      HTML.Fact("field.doctor_name", text: publicName),
      HTML.Fact("find.languages", text: profile.languageNames(in: language)),
      HTML.Fact("find.about", lines: profile.about.string(in: language)),
    ])
  }

  private var week: HTML {
    if hours.work.isEmpty {
      return "<p class=\"muted\">\(context.text("admin.hours.none"))</p>"
    }
    let zone = ["zone": placement.clinic.zone.identifier]
    return """
      \(context.facts(Weekday.allCases.map(day)))\
      <p class="hint">\(context.text("admin.hours.zone", zone))</p>
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

  private var ending: HTML {
    doctor.disabledAt == nil && doctor.person != nil
      ? context.button(
        "admin.doctor.disable", to: DisableDoctor.path(doctor.id), style: [.danger, .secondary])
      : context.button(
        "admin.delete", to: DeleteDoctor.path(doctor.id), style: [.danger, .secondary])
  }
}

/// The question before a doctor is disabled.
struct DisableDoctor: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/disable"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.doctor.disable.title"
  static let submit: Text = "admin.doctor.disable.yes"
  static let cancel = DoctorAdministration.address.pattern
  static let isQuestion = true

  private let placement: DoctorPlacement
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    placement = try DoctorPlacement.inPath(context)
  }

  var about: HTML? {
    get throws {
      let doctor = placement.doctor
      let booked = try OpenBookings(with: doctor.id, in: context)
      let waiting = try WaitingList.schedule(of: doctor.id, in: context)
        .waiting(at: context.now).count
      let told: HTML? =
        waiting == 0
        ? nil : "<p>\(context.text("admin.doctor.disable.waiting", count: waiting))</p>"
      return booked.closingQuestion(
        Text("admin.doctor.disable.question", ["name": try doctor.name.shown(context)]),
        in: placement.clinic.zone, context, more: told)
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    try Doctor.disable(placement.doctor.id, in: context)
    return Redirect(to: DoctorAdministration.path(placement.doctor.id))
  }
}

/// The question before a doctor is deleted.
struct DeleteDoctor: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/delete"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.doctor.delete.title"
  static let submit: Text = "delete.yes"
  static let cancel = DoctorAdministration.address.pattern
  static let isQuestion = true

  private let placement: DoctorPlacement
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    placement = try DoctorPlacement.inPath(context)
  }

  var about: HTML? {
    get throws {
      let doctor = placement.doctor
      let question = Text(
        "admin.doctor.delete.question", ["name": try doctor.name.shown(context)])
      let booked = try OpenBookings(with: doctor.id, in: context)
      let disable = doctor.disabledAt == nil ? DisableDoctor.path(doctor.id) : nil
      return """
        <p>\(context.text(question))</p>\
        \(booked.obstacle(
          in: placement.clinic.zone, instead: "admin.doctor.disable", at: disable, context))
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    try Doctor.delete(placement.doctor.id, in: context)
    return Redirect(to: DepartmentAdministration.path(placement.department.id))
  }
}

extension Doctor {
  /// Returns the badges of a disabled doctor and of an erased account.
  func marks(_ context: Context) -> HTML {
    let disabled: HTML? =
      disabledAt == nil ? nil : " \(context.badge("admin.doctor.disabled", .off))"
    let gone: HTML? = person != nil ? nil : " \(context.badge("admin.doctor.account-gone", .off))"
    return "\(disabled)\(gone)"
  }

  /// Disables the doctor: nothing can be booked from `now` on, and the waiting list closes.
  /// Disabling again changes nothing.
  static func disable(_ id: ID<Doctor>, in work: Work) throws {
    // Calls that are due are stored first, because the change would otherwise rewrite past ones.
    try WaitingList.settle([id], in: work)
    try work.run(
      """
      UPDATE appointments_doctors SET disabled_at = \(work.now)
      WHERE id_doctor = \(id) AND disabled_at IS NULL
      """)
    try WaitingList.settle([id], in: work)
  }
}
