import PolyclinicCore

/// A filter for the list of doctors.
struct DoctorFilter: Sendable {
  /// True if only doctors who are free now match.
  let onlyAvailable: Bool
  let specialization: Specialization?
  let clinic: ID<Clinic>?

  /// True if all doctors match.
  var isEmpty: Bool { !onlyAvailable && specialization == nil && clinic == nil }

  /// Reads a query. Ignores invalid values.
  init(_ query: Fields) {
    onlyAvailable = query["available"] == "1"
    specialization = Specialization(rawValue: query["specialization"])
    clinic = ID(query["clinic"])
  }

  /// Returns the address of a page of the filtered list.
  func path(page: Int) -> Path {
    Path("/appointments/doctors").query([
      "available": onlyAvailable ? "1" : "", "specialization": specialization?.rawValue ?? "",
      "clinic": clinic?.description ?? "", "page": String(page),
    ])
  }
}

/// A bookable doctor with the name and the waiting list.
struct ListedDoctor: Sendable {
  let placement: DoctorPlacement
  let name: String
  let waitingList: WaitingListSchedule

  /// Returns the doctors that match the filter, by name. Needs the portal's keys.
  static func all(
    _ filter: DoctorFilter, by keys: Keys, at now: Instant, on connection: Connection
  ) throws -> [ListedDoctor] {
    let open = Set(try WaitingListSession.openDoctors(on: connection))
    var found: [ListedDoctor] = []
    for clinic in try Clinic.open(on: connection) where filter.clinic ?? clinic.id == clinic.id {
      for department in try Department.open(of: clinic.id, on: connection)
      where filter.specialization ?? department.specialization == department.specialization {
        for doctor in try Doctor.enabled(of: department.id, on: connection) {
          if filter.onlyAvailable && !open.contains(doctor.id) { continue }
          let waitingList =
            open.contains(doctor.id)
            ? try WaitingList.schedule(of: doctor.id, at: now, on: connection) : .closed
          if filter.onlyAvailable && !waitingList.isFree(at: now) { continue }
          let placement = DoctorPlacement(doctor: doctor, department: department, clinic: clinic)
          let name = try doctor.name.opened(by: keys)
          found.append(ListedDoctor(placement: placement, name: name, waitingList: waitingList))
        }
      }
    }
    let named = found.map { (name: SearchText($0.name), listed: $0) }
    return named.sorted {
      ($0.name, $0.listed.placement.doctor.id) < ($1.name, $1.listed.placement.doctor.id)
    }.map(\.listed)
  }
}

/// The public list of doctors, below the visitor's own places on waiting lists.
struct DoctorList {
  let doctors: [ListedDoctor]
  let clinics: [Clinic]
  let own: [OwnPlace]
  /// The doctor whose waiting list the visitor has just left.
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
    context.emptyState(.people, "doctors.empty", hint: "doctors.empty.hint")
  }

  /// The message that the visitor has left a waiting list; nil if the visitor has joined it again since.
  private var done: HTML? {
    get throws {
      guard let left, !own.contains(where: { $0.placement.doctor.id == left.id }) else {
        return nil
      }
      let doctor = ["doctor": try left.name.opened(by: context.portal.keys)]
      return context.notice(.outcome, Text("line.left", doctor))
    }
  }

  private func more(_ own: OwnPlace) throws -> HTML {
    let doctor = own.placement.doctor
    let name = try doctor.name.opened(by: context.portal.keys)
    return context.button(
      "doctors.show", to: "/appointments/doctors/\(doctor.id)", style: .secondary, of: name)
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
    \(context.checkBox("doctors.available", name: "available", isChecked: filter.onlyAvailable))\
    \(context.submit("doctors.filter", style: .secondary))</div></form>
    """
  }

  private func select(
    _ name: StaticString, _ any: Text, _ choices: [(value: String, name: String)],
    _ chosen: String?
  ) -> HTML {
    let sorted = choices.map { ($0.value, $0.name, SearchText($0.name)) }.sorted { $0.2 < $1.2 }
    return context.field(
      Text("doctors.\(name)"), id: name.description,
      """
      <select id="\(name)" name="\(name)"><option value="">\(context.text(any))</option>\
      \(each: sorted, { value, name, _ in
        "<option value=\"\(value)\"\(attribute: " selected", if: value == chosen)>\(name)</option>"
      })</select>
      """)
  }

  private var results: HTML {
    if doctors.isEmpty {
      return context.emptyState(
        .people, "doctors.none", hint: "doctors.none.hint",
        actions: context.button("doctors.all", to: "/appointments/doctors", style: .secondary))
    }
    let pagination = Page.Pagination(page: context.request.query.page, total: doctors.count)
    let shown = doctors[pagination.range]
    return """
      <p class="count" role="status">\(context.text("doctors.count", count: doctors.count))</p>\
      \(rows: shown, row)\
      \(context.pageLinks(pagination, filter.path))
      """
  }

  private func row(_ listed: ListedDoctor) -> HTML {
    let doctor = listed.placement.doctor
    return .row(
      to: "/appointments/doctors/\(doctor.id)", "<bdi>\(listed.name)</bdi>",
      mark: "\(state(listed))", detail: "\(listed.placement.place(context))",
      lead: "<span aria-hidden=\"true\">\(initial(of: listed.name))</span>")
  }

  private func state(_ listed: ListedDoctor) -> HTML? {
    let waitingList = listed.waitingList
    if !waitingList.isOpen(at: context.now) { return nil }
    if waitingList.isFree(at: context.now) {
      return context.badge("line.free", .good)
    }
    let waiting = waitingList.waiting(at: context.now).count
    return context.badge(Text("line.waiting", count: waiting), .waiting)
  }
}

extension DoctorList {
  static func show(_ context: Context) throws -> Response {
    let filter = DoctorFilter(context.request.query)
    return try context.database.read { connection in
      let person = context.visitor?.person
      return try .page(
        DoctorList(
          doctors: try ListedDoctor.all(
            filter, by: context.portal.keys, at: context.now, on: connection),
          clinics: try Clinic.open(on: connection),
          own: try person.map { try OwnPlace.all(of: $0, at: context.now, on: connection) } ?? [],
          left: try ID<Doctor>(context.request.query["left"]).flatMap {
            try Doctor.find($0, on: connection)
          },
          filter: filter, context: context
        ).page)
    }
  }
}

/// Returns the letter in the circle beside a doctor's name: the first of its last word, because many names begin
/// with the same title.
func initial(of name: String) -> Substring { (name.split(separator: " ").last ?? "").prefix(1) }
