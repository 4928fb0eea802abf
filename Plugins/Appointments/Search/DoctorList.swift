import PolyclinicCore

/// The public list of doctors, below the visitor's own places on waiting lists.
struct DoctorList {
  let found: FoundDoctors
  let own: [OwnPlace]
  /// The doctor whose waiting list the visitor has just left.
  let left: Doctor?
  let context: Context

  private var filter: DoctorFilter { found.filter }

  var page: Page {
    get throws {
      let places = try own.map { try $0.notice(context, actions: more($0)) }
      let isEmpty = found.listed.isEmpty && filter.isEmpty
      return Page(
        "doctors.title", "\(try done)\(places)\(isEmpty ? nobodyYet : list)",
        assets: isEmpty ? [] : [.search])
    }
  }

  private var list: HTML {
    """
    \(DoctorFilterForm(found: found, context: context).html)\
    <div id="results">\(emergency)\(found.doctors.isEmpty ? nothingFound : results)</div>
    """
  }

  private var emergency: HTML? {
    SearchSentence.emergencyNotice(
      for: filter.words, findingNothing: found.doctors.isEmpty, context)
  }

  private var nobodyYet: HTML {
    context.emptyState(
      .people, "doctors.empty",
      hint: found.lacksHours ? "doctors.empty.hours" : "doctors.empty.hint",
      actions: context.visitor?.roles.contains(.administrator) == true
        ? context.button("doctors.empty.add", to: "/appointments/admin/clinics", style: .secondary)
        : nil)
  }

  /// The message that the visitor has left a waiting list; nil if the visitor has joined it again
  /// since.
  private var done: HTML? {
    get throws {
      guard let left, !own.contains(where: { $0.placement.doctor.id == left.id }) else {
        return nil
      }
      return context.notice(.outcome, Text("line.left", ["doctor": try left.name.shown(context)]))
    }
  }

  private func more(_ own: OwnPlace) throws -> HTML {
    let doctor = own.placement.doctor
    return context.button(
      "doctors.show", to: "/appointments/doctors/\(doctor.id)", style: .secondary,
      of: try doctor.name.shown(context))
  }

  private var results: HTML {
    """
    \(context.resultCount(Text("doctors.count", count: found.doctors.count)))\
    \(partial)\(unsorted)\(clinics)\(rows: found.shown, row)\
    \(context.pageLinks(found.pagination, filter.path))
    """
  }

  private func row(_ one: (doctor: ListedDoctor, times: [Availability.Day])) -> HTML {
    DoctorRow(listed: one.doctor, times: one.times, wayBack: wayBack, context: context).html
  }

  private var wayBack: Fields { filter.fields.wayBack(from: found.pagination.page) }

  /// The notice that the doctors match some of the words; nil if they match all.
  private var partial: HTML? {
    found.isPartial ? context.notice(.remark, "find.partial", as: .information) : nil
  }

  /// The notice that too many doctors match to sort them by their free times; nil if they are in
  /// the chosen order.
  private var unsorted: HTML? {
    found.isTooLongToSort
      ? context.notice(
        .remark, Text("find.sort.too-many", count: FoundDoctors.mostSorted), as: .information)
      : nil
  }

  private var nothingFound: HTML {
    """
    \(context.resultCount(Text("doctors.count", count: 0)))\(clinics)\
    \(SimilarSearches.html(found.corrections, at: "/appointments/doctors", context))\
    \(filter.onlyAvailable ? nobodyFree : nobodyMatches)
    """
  }

  /// The empty list of doctors who are free now, with the next times of the day.
  private var nobodyFree: HTML {
    let anyTime = context.button(
      "doctors.any-time", to: filter.withoutAvailability.path(page: 1), style: .secondary)
    let empty = context.emptyState(
      .people, "doctors.none-free", hint: "doctors.none-free.hint", actions: anyTime)
    if found.laterToday.isEmpty { return empty }
    return """
      \(empty)<h2>\(context.text("doctors.later-today"))</h2>\
      \(rows: found.laterToday, row)
      """
  }

  /// The empty list of doctors who match, with general practice, and the specializations that the
  /// portal has.
  private var nobodyMatches: HTML {
    let all = context.button("doctors.all", to: "/appointments/doctors", style: .secondary)
    let path = Path("/appointments/doctors").query([
      "specialization": Specialization.generalPractice.rawValue
    ])
    let general: HTML? =
      found.listed.contains { $0.specialization == .generalPractice }
      ? context.notice(
        .remark, "find.general", as: .information,
        action: context.button("find.general.show", to: path, style: [.secondary, .small])) : nil
    let names = Set(found.listed.map(\.specialization))
      .map { (specialization: $0, name: SearchText(context.text($0.title))) }
      .sorted { $0.name < $1.name }
    let links: [HTML] = names.map { specialization, name in
      let path = Path("/appointments/doctors").query(["specialization": specialization.rawValue])
      return context.button(showing: "\(name)", to: path, style: [.secondary, .small])
    }
    let empty = context.emptyState(
      .people, "doctors.none", hint: links.isEmpty ? "doctors.none.hint" : "doctors.none.choose",
      content: "\(actions: links)", actions: all)
    return "\(general)\(empty)"
  }

  private func clinicRow(_ clinic: FoundClinic) -> HTML {
    var query = wayBack
    query.append(ClinicPage.listField, ClinicPage.doctors)
    return clinic.row(wayBack: query, context)
  }

  /// The clinics that match the words; nil without words and on later pages.
  private var clinics: HTML? {
    if found.clinics.isEmpty || found.pagination.page > 1 { return nil }
    let all: HTML? =
      found.clinicCount == found.clinics.count
      ? nil
      : """
      <p>\(context.moreLink(
        Text("find.clinics.all", count: found.clinicCount),
        to: Path("/appointments/clinics").query(["q": filter.words])))</p>
      """
    return """
      <h2>\(context.text("clinics.title"))</h2>\(rows: found.clinics, clinicRow)\(all)\
      <h2>\(context.text("doctors.title"))</h2>
      """
  }
}

extension DoctorList {
  static func show(_ context: Context) throws -> Response {
    let filter = DoctorFilter(context.request.query)
    let person = context.visitor?.person
    return try .page(
      DoctorList(
        found: try FoundDoctors(filter, context),
        own: try person.map { try OwnPlace.all(of: $0, in: context) } ?? [],
        left: try ID<Doctor>(context.request.query["left"]).flatMap {
          try Doctor.find($0, in: context)
        },
        context: context
      ).page)
  }
}
