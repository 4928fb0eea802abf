import PolyclinicCore
import PolyclinicPlaces

/// The public page of one clinic.
struct ClinicPage: RoutedPage {
  static let address: Address<ID<Clinic>> = "/appointments/clinics/{id}"
  static let access = Access.everyone
  /// The address of the button that chooses the clinic.
  static let choice: Address<ID<Clinic>> = "/appointments/clinics/{id}/choose"

  private let clinic: Clinic
  private let departments: [ListedDepartment]
  private let opening: OpeningHours
  /// True if the visitor has chosen this clinic.
  private let isChosen: Bool
  /// The list in which the visitor has found the clinic.
  private let origin: (path: Path, label: Text?)
  private let context: Context

  /// An open department with the doctors whom the public pages list, by name.
  private struct ListedDepartment {
    let specialization: Specialization
    let doctors: [(id: ID<Doctor>, name: String)]
  }

  init(_ context: Context) throws {
    self.context = context
    guard let clinic = try Clinic.find(context.id(), in: context) else { throw Refusal.notFound }
    self.clinic = clinic
    departments = clinic.closedAt == nil ? try Self.departments(of: clinic, context) : []
    opening = try OpeningHours.find(of: clinic, in: context)
    let chosen = try context.visitor.flatMap { try Clinic.chosen(by: $0.person, in: context) }
    isChosen = chosen == clinic.id
    origin = try Self.list(context)
  }

  private static func departments(
    of clinic: Clinic, _ context: Context
  ) throws -> [ListedDepartment] {
    let listed = Dictionary(
      grouping: try Doctor.listed(from: context.today, in: context), by: \.department)
    return try Department.open(of: clinic.id, in: context).map { department in
      let doctors = try (listed[department.id] ?? []).map { doctor in
        let name = try doctor.name.shown(context)
        return (order: NameOrder(name, in: context.language), id: doctor.id, name: name)
      }
      return ListedDepartment(
        specialization: department.specialization,
        doctors: doctors.sorted { ($0.order, $0.id) < ($1.order, $1.id) }.map { ($0.id, $0.name) })
    }
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
      <div class="title"><h1><bdi>\(name)</bdi></h1>\
      <p>\(isOpen ? opening.badge(context) : nil)\(clinic.badges(context))\(ownBadge)</p></div>\
      \(closed)\(lead)\(context.facts([address, phone, email, website, hours, closures]))\
      \(choice)\(isOpen ? staff : nil)
      """
    var page = Page(
      Text("find.named", ["name": name]), content, back: origin.path, hasOwnHeading: true)
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
    let address = clinic.address.localized(context)
    let lines = address.lines(in: context.language).joined(separator: "\n")
    let map: HTML? = clinic.coordinates.map {
      """
      <dd><a href="\(OutsideLink.map($0))">\(context.text("clinic.geo"))</a></dd>\
      \(OutsideLink.webMap($0).map { link in
        "<dd><a href=\"\(link)\" rel=\"noreferrer\">\(context.text("clinic.web-map"))</a></dd>"
      })
      """
    }
    return HTML.Fact(
      "clinic.address",
      values: "<dd class=\"lines\"><bdi>\(lines)</bdi></dd>\(map)")
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

  private var staff: HTML {
    let list: HTML =
      departments.isEmpty
      ? "<p class=\"muted\">\(context.text("clinic.departments.none"))</p>"
      : context.facts(
        departments.map { HTML.Fact($0.specialization.title, values: doctors(of: $0)) })
    return "<h2>\(context.text("clinic.departments"))</h2>\(list)"
  }

  private func doctors(of department: ListedDepartment) -> HTML {
    if department.doctors.isEmpty {
      return "<dd class=\"muted\">\(context.text("clinic.doctors.none"))</dd>"
    }
    let list: [HTML] = department.doctors.map { id, name in
      "<dd><a href=\"\(DoctorPage.path(id))\"><bdi>\(name)</bdi></a></dd>"
    }
    return "\(list)"
  }

  private var choice: HTML? {
    if !isOpen || isChosen { return nil }
    let button =
      context.visitor == nil
      ? context.button(
        "clinic.choose.sign-in",
        to: Path("/login").query(["next": Self.path(clinic.id).description]), style: .secondary)
      : context.button("clinic.choose", posts: Self.choice.path(clinic.id))
    return "\(actions: button)"
  }
}

extension ClinicPage {
  /// The field of the query that names the list from which the visitor comes, if it is not the list
  /// of clinics.
  static let listField = "list"
  static let doctors = "doctors"
  /// The fields of the search for doctors.
  private static let doctorFields = ["q", "available", "specialization", "clinic", "sort", "page"]

  private static func list(_ context: Context) throws -> (path: Path, label: Text?) {
    let query = context.request.query
    guard query[listField] == doctors else {
      return try ClinicFilter.list(in: query, context)
    }
    var search = Fields()
    for name in doctorFields where !query[name].isEmpty {
      search.append(name, SearchText.Query.read(query[name]))
    }
    return (DoctorList.path.query(search), nil)
  }
}

extension Clinic {
  /// The telephone number as a link; nil if there is none.
  var phoneLink: HTML? { AppointmentFacts.phone(phone) }
}
