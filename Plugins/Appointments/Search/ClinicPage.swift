import PolyclinicCore
import PolyclinicPlaces

/// The public page of one clinic.
struct ClinicPage: RoutedPage {
  static let address: Address<ID<Clinic>> = "/appointments/clinics/{id}"
  static let access = Access.everyone
  static let linkTitle: Text? = "field.clinic"
  /// The address of the button that chooses the clinic.
  static let choice: Address<ID<Clinic>> = "/appointments/clinics/{id}/choose"

  private let clinic: Clinic
  /// The open departments without a doctor whom the public pages list.
  private let emptyDepartments: [Department]
  /// The doctors by specialization and name, with their next free times.
  private let doctors: [FoundDoctors.Timed]
  /// The number of all doctors, of whom the page has the first.
  private let doctorCount: Int
  private let map: HTML?
  private let opening: OpeningHours
  /// True if the visitor has chosen this clinic.
  private let isChosen: Bool
  /// The list in which the visitor has found the clinic.
  private let origin: (path: Path, label: Text?)
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    guard let clinic = try Clinic.find(context.id(), in: context) else { throw Refusal.notFound }
    self.clinic = clinic
    if clinic.closedAt == nil {
      let filter = DoctorFilter(Fields(["clinic": clinic.id.description]))
      let open = try OpenClinics(in: context)
      let listed = try ListedDoctor.all(for: filter, at: open, context)
        .filter { $0.placement.clinic.id == clinic.id }.byName(in: context.language)
        .bySpecialization(context)
      let staffed = Set(listed.map(\.placement.department.id))
      emptyDepartments = open.departments.filter {
        $0.clinic == clinic.id && !staffed.contains($0.id)
      }
      doctors = try FoundDoctors.timed(listed.prefix(FoundDoctors.pageSize), context)
      doctorCount = listed.count
    } else {
      (emptyDepartments, doctors, doctorCount) = ([], [], 0)
    }
    map = try ClinicMap.place(of: clinic, context)
    opening = try OpeningHours.find(of: clinic, in: context)
    let chosen =
      try context.visitor == nil ? nil : Clinic.chosen(by: context.keys.person, in: context)
    isChosen = chosen == clinic.id
    origin = try Self.list(context)
  }

  /// Stores the choice of the clinic.
  static func choose(_ context: Context) throws -> Path {
    guard let clinic = try Clinic.find(context.id(), in: context) else { throw Refusal.notFound }
    guard clinic.closedAt == nil else { throw Refusal.conflict("clinic.closed.choice") }
    try clinic.choose(by: context.keys.person, in: context)
    return path(clinic.id)
  }

  private var isOpen: Bool { clinic.closedAt == nil }

  var page: Page {
    let name = clinic.name.string(in: context.language)
    let about = clinic.about.string(in: context.language)
    let lead: HTML? = about.isEmpty ? nil : "<p class=\"lead lines\"><bdi>\(about)</bdi></p>"
    let content: HTML = """
      <div class="title ways"><div><h1><bdi>\(name)</bdi></h1>\
      <p>\(isOpen ? opening.badge(context) : nil)\(clinic.badges(context))\(ownBadge)</p></div>\
      \(ways)</div>\
      \(closed)\(lead)\
      <div class="home beside"><div>\
      \(context.facts([today, address, phone, hours, closures, email, website]))\(map)</div>\
      \(isOpen ? "<div>\(staff)</div>" : nil)</div>
      """
    var page = Page(
      Text("find.named", ["name": name]), content, back: origin.path,
      assets: [.freeTimes] + (map == nil ? [] : [.mapStyle]), width: .wide, hasOwnHeading: true)
    page.backLabel = origin.label
    return page
  }

  private var ownBadge: HTML? {
    isChosen ? " \(context.badge("my-clinic.title", .good))" : nil
  }

  private var closed: HTML? {
    clinic.closedAt.map { moment in
      let date = context.formats.date(context.formats.day(of: moment))
      return context.notice(.remark, Text("clinic.closed", ["date": date]), as: .warning)
    }
  }

  private var address: HTML.Fact {
    let address = clinic.localizedAddress(context)
    let lines: [HTML] = address.lines(in: context.language).map {
      "<dd><bdi>\($0)</bdi></dd>"
    }
    return HTML.Fact("clinic.address", values: "\(lines)")
  }

  /// The buttons to book, to call, to find the way and to choose the clinic.
  private var ways: HTML {
    """
    \(actions:
      isOpen && doctorCount > 0
        ? context.button(
          "my-clinic.book", to: NewAppointment.path.query(["clinic": clinic.id.description])) : nil,
      context.callButton("clinic.call", clinic.phone, style: [.secondary, .small]),
      clinic.coordinates.flatMap(OutsideLink.directions(to:)).map {
        context.button("next.directions", to: $0, style: [.secondary, .small], icon: .pin)
      }, choice)
    """
  }

  /// The hours of the present day; nil if the clinic is closed all day, which the badge says.
  private var today: HTML.Fact? {
    if opening.hours.isEmpty || !isOpen { return nil }
    return HTML.Fact("find.today", text: opening.today(context))
  }

  private var phone: HTML.Fact? { HTML.Fact("clinic.phone", clinic.phoneLink) }

  private var email: HTML.Fact? {
    OutsideLink.mail(clinic.email).map {
      HTML.Fact("clinic.email", "<a href=\"\($0)\"><bdi dir=\"ltr\">\(clinic.email)</bdi></a>")
    }
  }

  private var website: HTML.Fact? {
    OutsideLink.web(clinic.website).map {
      HTML.Fact("clinic.website", "<a href=\"\($0)\"><bdi dir=\"ltr\">\($0.host)</bdi></a>")
    }
  }

  private var hours: HTML.Fact? {
    if opening.hours.isEmpty || !isOpen { return nil }
    return HTML.Fact("clinic.hours", values: opening.lines(context))
  }

  private var closures: HTML.Fact? {
    if opening.closures.isEmpty || !isOpen { return nil }
    return HTML.Fact("clinic.closures", values: "\(each: opening.closures, closure)")
  }

  private func closure(_ closure: (date: CalendarDate, minutes: Range<Int>)) -> HTML {
    let isWhole = closure.minutes == DayMinutes.wholeDay
    let part: HTML? = isWhole ? nil : " <bdi>\(DayMinutes.text([closure.minutes], context))</bdi>"
    return "<dd>\(context.formats.date(closure.date))\(part)</dd>"
  }

  /// The doctors as on their list, below their specializations, and the departments without one.
  private var staff: HTML {
    let rest: HTML? =
      doctorCount > doctors.count
      ? context.moreLink(
        Text("clinic.doctors.all", count: doctorCount),
        to: DoctorList.path.query(["clinic": clinic.id.description])) : nil
    let facts = emptyDepartments.map {
      HTML.Fact(
        $0.specialization.title,
        values: "<dd class=\"muted\">\(context.text("clinic.doctors.none"))</dd>")
    }
    let others: HTML? = facts.isEmpty ? nil : context.facts(facts)
    let nothing: HTML? =
      doctors.isEmpty && facts.isEmpty
      ? "<p class=\"muted\">\(context.text("clinic.departments.none"))</p>" : nil
    return """
      <h2>\(context.text("clinic.departments"))</h2>\(each: specializations, department)\
      \(rest.map { "<p>\($0)</p>" })\(others)\(nothing)
      """
  }

  /// The specializations of the shown doctors, in their order.
  private var specializations: [Specialization] {
    var shown: [Specialization] = []
    for one in doctors.map(\.doctor.specialization) where shown.last != one { shown.append(one) }
    return shown
  }

  private func department(_ specialization: Specialization) -> HTML {
    let doctors = doctors.filter { $0.doctor.specialization == specialization }
    return "<h3>\(context.text(specialization.title))</h3>\(rows: doctors, row)"
  }

  private func row(_ one: FoundDoctors.Timed) -> HTML {
    DoctorRow(
      listed: one.doctor, times: one.times, wayBack: Fields(), heading: .department, home: nil,
      showsClinic: false, context: context
    ).html
  }

  private var choice: HTML? {
    if !isOpen || isChosen { return nil }
    return context.visitor == nil
      ? context.button(
        "clinic.choose.sign-in",
        to: Path("/login").query(["next": Self.path(clinic.id).description]),
        style: [.secondary, .small])
      : context.button(
        "clinic.choose", posts: Self.choice.path(clinic.id), style: [.secondary, .small])
  }
}

extension ClinicPage {
  /// The field of the query that names the list from which the visitor comes, if it is not the list
  /// of clinics.
  static let listField = "list"
  static let doctors = "doctors"

  private static func list(_ context: Context) throws -> (path: Path, label: Text?) {
    let query = context.request.query
    guard query[listField] == doctors else {
      return try ClinicFilter.list(in: query, context)
    }
    return (DoctorList.path.query(DoctorFilter.wayBack(in: query)), nil)
  }
}

extension Clinic {
  /// The telephone number as a link; nil if there is none.
  var phoneLink: HTML? { AppointmentFacts.phone(phone) }
}

extension [ListedDoctor] {
  /// Returns the doctors by the title of their specialization, otherwise in the same order.
  fileprivate func bySpecialization(_ context: Context) -> [ListedDoctor] {
    enumerated().map { offset, doctor in
      (title: SearchText(context.text(doctor.specialization.title)), offset: offset, doctor: doctor)
    }
    .sorted { ($0.title, $0.offset) < ($1.title, $1.offset) }.map(\.doctor)
  }
}
