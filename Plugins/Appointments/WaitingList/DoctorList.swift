import PolyclinicCore

/// Which doctors a visitor asks for.
struct DoctorFilter: Sendable {
  /// Whether only those are meant who are free now.
  let onlyAvailable: Bool
  let specialization: Specialization?
  let clinic: ID<Clinic>?

  /// Whether all are asked for.
  var isEmpty: Bool { !onlyAvailable && specialization == nil && clinic == nil }

  /// Reads a query; what it does not understand is left out.
  init(_ query: Fields) {
    onlyAvailable = query["available"] == "1"
    specialization = Specialization(rawValue: query["specialization"])
    clinic = ID(query["clinic"])
  }

  /// The same in an address.
  func path(page: Int) -> Path {
    Path("/appointments/doctors").query([
      "available": onlyAvailable ? "1" : "", "specialization": specialization?.rawValue ?? "",
      "clinic": clinic?.description ?? "", "page": String(page),
    ])
  }
}

/// A doctor with whom something can be booked, and the line.
struct ListedDoctor: Sendable {
  let practice: Practice
  let name: String
  let line: WaitingLine

  /// Those that are asked for, by name; takes the portal's keys.
  static func all(
    _ filter: DoctorFilter, by keys: Keys, at now: Instant, on connection: Connection
  ) throws -> [ListedDoctor] {
    let open = Set(try Desk.openDoctors(on: connection))
    var found: [ListedDoctor] = []
    for clinic in try Clinic.open(on: connection) where filter.clinic ?? clinic.id == clinic.id {
      for department in try Department.open(of: clinic.id, on: connection)
      where filter.specialization ?? department.specialization == department.specialization {
        for doctor in try Doctor.enabled(of: department.id, on: connection) {
          if filter.onlyAvailable && !open.contains(doctor.id) { continue }
          let line =
            open.contains(doctor.id)
            ? try WaitingList.line(of: doctor.id, at: now, on: connection) : .closed
          if filter.onlyAvailable && !line.isFree(at: now) { continue }
          let practice = Practice(doctor: doctor, department: department, clinic: clinic)
          let name = try doctor.name.opened(by: keys)
          found.append(ListedDoctor(practice: practice, name: name, line: line))
        }
      }
    }
    let named = found.map { (name: SearchText($0.name), listed: $0) }
    return named.sorted {
      ($0.name, $0.listed.practice.doctor.id) < ($1.name, $1.listed.practice.doctor.id)
    }.map(\.listed)
  }
}

/// The list of doctors, the same for everybody, and above it the visitor's own places in lines.
struct DoctorList {
  let doctors: [ListedDoctor]
  let clinics: [Clinic]
  let own: [OwnPlace]
  /// The doctor whose line the visitor has just left.
  let left: Doctor?
  let filter: DoctorFilter
  let context: Context

  var page: Page {
    get throws {
      let places = try own.map { try $0.notice(context, actions: more($0)) }
      return Page("doctors.title", "\(try done)\(places)\(list)")
    }
  }

  private var list: HTML {
    if doctors.isEmpty && filter.isEmpty { return nobodyYet }
    return "\(form)\(results)"
  }

  private var nobodyYet: HTML {
    """
    <section class="empty">\(context.icon(.people))<h2>\(context.text("doctors.empty"))</h2>\
    <p>\(context.text("doctors.empty.hint"))</p></section>
    """
  }

  /// That the visitor has left a line; nil for one who has joined it again since.
  private var done: HTML? {
    get throws {
      guard let left, !own.contains(where: { $0.practice.doctor.id == left.id }) else { return nil }
      let doctor = ["doctor": try left.name.opened(by: context.portal.keys)]
      return """
        <div class="notice success" role="status"><p>\(context.text("line.left", doctor))</p></div>
        """
    }
  }

  private func more(_ own: OwnPlace) throws -> HTML {
    let doctor = own.practice.doctor
    let name = try doctor.name.opened(by: context.portal.keys)
    return """
      <a class="button secondary" href="/appointments/doctors/\(doctor.id)">\
      \(context.text("doctors.show"))<span class="hidden-text"> \(name)</span></a>
      """
  }

  private var form: HTML {
    """
    <form class="search" role="search" method="get" action="/appointments/doctors">\
    <div class="filters">\
    \(select("specialization", "doctors.any", Specialization.allCases.map {
      ($0.rawValue, context.text($0.title))
    }, filter.specialization?.rawValue))\
    \(select("clinic", "doctors.any-clinic", clinics.map {
      ($0.id.description, $0.name.string(in: context.language))
    }, filter.clinic?.description))\
    <div class="field check"><input type="checkbox" id="available" name="available" value="1"\
    \(attribute: " checked", if: filter.onlyAvailable)><label for="available">\
    \(context.text("doctors.available"))</label></div>\
    <button class="button secondary">\(context.text("doctors.filter"))</button></div></form>
    """
  }

  private func select(
    _ name: StaticString, _ any: Text, _ choices: [(value: String, name: String)],
    _ chosen: String?
  ) -> HTML {
    let sorted = choices.map { ($0.value, $0.name, SearchText($0.name)) }.sorted { $0.2 < $1.2 }
    return """
      <div class="field"><label for="\(name)">\(context.text(Text("doctors.\(name)")))</label>\
      <select id="\(name)" name="\(name)"><option value="">\(context.text(any))</option>\
      \(each: sorted, { value, name, _ in
        "<option value=\"\(value)\"\(attribute: " selected", if: value == chosen)>\(name)</option>"
      })</select></div>
      """
  }

  private var results: HTML {
    if doctors.isEmpty {
      return """
        <section class="empty">\(context.icon(.people))<h2>\(context.text("doctors.none"))</h2>\
        <p>\(context.text("doctors.none.hint"))</p><p class="actions">\
        <a class="button secondary" href="/appointments/doctors">\
        \(context.text("doctors.all"))</a></p></section>
        """
    }
    let pagination = Pagination(page: context.request.query.page, total: doctors.count)
    let shown = doctors[pagination.range]
    return """
      <p class="count" role="status">\(context.text("doctors.count", count: doctors.count))</p>\
      <ul class="rows">\(each: shown, row)</ul>\
      \(context.pageLinks(pagination, filter.path))
      """
  }

  private func row(_ listed: ListedDoctor) -> HTML {
    let doctor = listed.practice.doctor
    return """
      <li><a href="/appointments/doctors/\(doctor.id)"><span class="with-initial">\
      <span class="initial" aria-hidden="true">\(initial(of: listed.name))</span>\
      <span><strong><bdi>\(listed.name)</bdi></strong> \(state(listed))\
      <span class="secondary-text">\(listed.practice.place(context))</span></span></span></a></li>
      """
  }

  private func state(_ listed: ListedDoctor) -> HTML? {
    let line = listed.line
    if !line.isOpen(at: context.now) { return nil }
    if line.isFree(at: context.now) {
      return "<span class=\"badge ok\">\(context.text("line.free"))</span>"
    }
    let waiting = line.waiting(at: context.now).count
    return """
      <span class="badge waiting">\(context.text("line.waiting", count: waiting))</span>
      """
  }
}

/// What stands in the circle beside a doctor's name: the first letter of its last word, since many
/// names begin with the same title.
func initial(of name: String) -> Substring { (name.split(separator: " ").last ?? "").prefix(1) }

extension WaitingLine {
  /// The line at a desk that is not open, with nobody in it.
  static let closed = WaitingLine(
    [], isOpen: false, freeAt: Instant(0),
    calendar: Calendar(
      slot: .minutes(0), booked: [], horizon: Instant(0), closesAt: Instant(0)))
}
