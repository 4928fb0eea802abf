import PolyclinicCore

/// The page of one clinic, as everybody sees it.
struct PublicClinic {
  let clinic: Clinic
  let staff: [ClinicStaff]
  let opening: Opening
  /// Whether it is the visitor's own.
  let isChosen: Bool
  let context: Context

  private var isOpen: Bool { clinic.closedAt == nil }

  var page: Page {
    get throws {
      let about = clinic.about.string(in: context.language)
      let lead: HTML? = about.isEmpty ? nil : "<p class=\"lead lines\"><bdi>\(about)</bdi></p>"
      let content: HTML = """
        <div class="title"><h1><bdi>\(clinic.name.string(in: context.language))</bdi></h1>\
        <p>\(clinic.badges(context))\(mine)</p></div>\(closed)\(lead)\
        <dl class="details">\(address)\(phone)\(hours)\(closures)</dl>\(choice)\
        \(try isOpen ? departments : nil)
        """
      return Page("clinic.title", content, back: "clinics", hasOwnHeading: true)
    }
  }

  private var mine: HTML? {
    isChosen ? " <span class=\"badge ok\">\(context.text("my-clinic.title"))</span>" : nil
  }

  private var closed: HTML? {
    clinic.closedAt.map { moment in
      let date = context.formats.date(context.formats.day(of: moment))
      return """
        <div class="notice warning"><p>\(context.text("clinic.closed", ["date": date]))</p></div>
        """
    }
  }

  private var address: HTML {
    let lines = clinic.address.lines(in: context.language).joined(separator: "\n")
    let map: HTML? = clinic.coordinates.map {
      "<dd><a href=\"\(OutsideLink.map($0))\">\(context.text("clinic.geo"))</a></dd>"
    }
    return """
      <div><dt>\(context.text("clinic.address"))</dt>\
      <dd class="lines"><bdi>\(lines)</bdi></dd>\(map)</div>
      """
  }

  private var phone: HTML? {
    if clinic.phone.isEmpty { return nil }
    let number: HTML = "<bdi dir=\"ltr\">\(clinic.phone)</bdi>"
    let link: HTML =
      OutsideLink.telephone(clinic.phone).map { "<a href=\"\($0)\">\(number)</a>" } ?? number
    return "<div><dt>\(context.text("clinic.phone"))</dt><dd>\(link)</dd></div>"
  }

  private var hours: HTML? {
    if opening.hours.isEmpty || !isOpen { return nil }
    return """
      <div><dt>\(context.text("clinic.hours"))</dt>\(opening.hours.lines(context))\
      \(WeeklyHours.zoneNote(clinic.zone, context))</div>
      """
  }

  private var closures: HTML? {
    if opening.closures.isEmpty || !isOpen { return nil }
    return """
      <div><dt>\(context.text("clinic.closures"))</dt>\(each: opening.closures, closure)</div>
      """
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
      let list: [HTML] = try staff.map { staff in
        let title = context.text(staff.department.specialization.title)
        return "<div><dt>\(title)</dt>\(try doctors(staff))</div>"
      }
      return """
        <h2>\(context.text("clinic.departments"))</h2><dl class="details">\(list)</dl>
        """
    }
  }

  private func doctors(_ staff: ClinicStaff) throws -> HTML {
    if staff.doctors.isEmpty {
      return "<dd class=\"muted\">\(context.text("clinic.doctors.none"))</dd>"
    }
    let list: [HTML] = try staff.doctors.map { doctor in
      let name = try doctor.name.opened(by: context.portal.keys)
      return "<dd><a href=\"/appointments/doctors/\(doctor.id)\"><bdi>\(name)</bdi></a></dd>"
    }
    return "\(list)"
  }

  private var choice: HTML? {
    if !isOpen || isChosen { return nil }
    if context.visitor == nil {
      let here: Path = "/appointments/clinics/\(clinic.id)"
      return """
        <p class="actions"><a class="button secondary" \
        href="\(Path("/login").query(["next": here.description]))">\
        \(context.text("clinic.choose.sign-in"))</a></p>
        """
    }
    return """
      <div class="actions">\
      \(context.button("clinic.choose", posts: "/appointments/clinics/\(clinic.id)/choose"))</div>
      """
  }
}
