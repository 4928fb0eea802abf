import PolyclinicCore
import PolyclinicPlaces

/// The public page of one clinic.
struct ClinicPage {
  let clinic: Clinic
  let staff: [ClinicStaff]
  let opening: OpeningHours
  /// True if the visitor has chosen this clinic.
  let isChosen: Bool
  /// The list in which the visitor has found the clinic.
  let origin: (path: Path, label: Text?)
  let context: Context

  private var isOpen: Bool { clinic.closedAt == nil }

  var page: Page {
    get throws {
      let about = clinic.about.string(in: context.language)
      let lead: HTML? = about.isEmpty ? nil : "<p class=\"lead lines\"><bdi>\(about)</bdi></p>"
      let content: HTML = """
        <div class="title"><h1><bdi>\(clinic.name.string(in: context.language))</bdi></h1>\
        <p>\(isOpen ? opening.badge(context) : nil)\(clinic.badges(context))\(ownBadge)</p></div>\
        \(closed)\(lead)\(context.facts([address, phone, email, website, hours, closures]))\
        \(choice)\(try isOpen ? departments : nil)
        """
      var page = Page(
        Text("find.named", ["name": clinic.name.string(in: context.language)]), content,
        back: origin.path, hasOwnHeading: true)
      page.backLabel = origin.label
      return page
    }
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

  private var departments: HTML {
    get throws {
      if staff.isEmpty {
        return """
          <h2>\(context.text("clinic.departments"))</h2>\
          <p class="muted">\(context.text("clinic.departments.none"))</p>
          """
      }
      let list = try staff.map { staff in
        HTML.Fact(staff.department.specialization.title, values: try doctors(staff))
      }
      return "<h2>\(context.text("clinic.departments"))</h2>\(context.facts(list))"
    }
  }

  private func doctors(_ staff: ClinicStaff) throws -> HTML {
    if staff.doctors.isEmpty {
      return "<dd class=\"muted\">\(context.text("clinic.doctors.none"))</dd>"
    }
    let list: [HTML] = try staff.doctors.map { doctor in
      let name = try doctor.name.shown(context)
      return "<dd><a href=\"/appointments/doctors/\(doctor.id)\"><bdi>\(name)</bdi></a></dd>"
    }
    return "\(list)"
  }

  private var choice: HTML? {
    if !isOpen || isChosen { return nil }
    if context.visitor == nil {
      let here: Path = "/appointments/clinics/\(clinic.id)"
      return """
        \(actions:
          context.button(
            "clinic.choose.sign-in", to: Path("/login").query(["next": here.description]),
            style: .secondary))
        """
    }
    return """
      \(actions:
        context.button("clinic.choose", posts: "/appointments/clinics/\(clinic.id)/choose"))
      """
  }
}

extension ClinicPage {
  /// The field of the query that names the list from which the visitor comes, if it is not the list
  /// of clinics.
  static let listField = "list"
  static let doctors = "doctors"
  /// The fields of the search for doctors.
  private static let doctorFields = ["q", "available", "specialization", "clinic", "sort", "page"]

  private static func list(
    _ context: Context
  ) throws -> (path: Path, label: Text?) {
    let query = context.request.query
    guard query[listField] == doctors else {
      return try ClinicFilter.list(in: query, context)
    }
    var search = Fields()
    for name in doctorFields where !query[name].isEmpty {
      search.append(name, SearchText.Query.read(query[name]))
    }
    return (Path("/appointments/doctors").query(search), nil)
  }

  static func show(_ context: Context) throws -> Response {
    guard let clinic = try Clinic.find(context.id(), in: context) else {
      throw Refusal.notFound
    }
    let person = context.visitor?.person
    let chosen = try person.flatMap { try ChosenClinic.find(of: $0, in: context) }
    return try .page(
      ClinicPage(
        clinic: clinic,
        staff: try ClinicStaff.all(of: clinic.id, context),
        opening: try OpeningHours.find(of: clinic, in: context),
        isChosen: chosen == clinic.id, origin: try list(context), context: context
      ).page)
  }
}

extension Clinic {
  /// The telephone number as a link; nil if there is none.
  var phoneLink: HTML? { AppointmentFacts.phone(phone) }
}
