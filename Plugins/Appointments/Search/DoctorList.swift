import PolyclinicCore

/// The public list of doctors, below the visitor's own places on waiting lists.
struct DoctorList: RoutedPage {
  static let address: Address<Void> = "/appointments/doctors"
  static let access = Access.everyone

  private let found: FoundDoctors
  private let own: [OwnPlace]
  /// The name of the doctor whose waiting list the visitor has just left; nil if the visitor has
  /// joined it again since.
  private let left: String?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    found = try FoundDoctors(DoctorFilter(context.request.query), context)
    let own = try context.visitor == nil ? [] : OwnPlace.all(of: context.keys.person, context)
    self.own = own
    left = try ID<Doctor>(context.request.query["left"]).flatMap { id in
      own.contains { $0.placement.doctor.id == id }
        ? nil : try Doctor.find(id, in: context)?.name.shown(context)
    }
  }

  private var filter: DoctorFilter { found.filter }
  private var count: Int { found.pagination.total }

  var page: Page {
    let left = left.map { context.notice(.outcome, Text("line.left", ["doctor": $0])) }
    let places = own.map { own in
      own.notice(
        actions: context.button(
          "doctors.show", to: DoctorPage.path(own.placement.doctor.id), style: .secondary,
          of: own.doctor))
    }
    let isEmpty = found.listed.isEmpty && filter.isEmpty
    return Page(
      "doctors.title", "\(left)\(places)\(isEmpty ? nobodyYet : list)",
      assets: isEmpty ? [] : [.search, .freeTimes], width: .wide)
  }

  private var list: HTML {
    """
    \(DoctorFilterForm(found: found, context: context).html)\
    <div id="results">\(emergency)\(chosen)\(unknownTown)\(count == 0 ? nothingFound : results)</div>
    """
  }

  /// The set filters as links to the list without each of them.
  private var chosen: HTML? {
    FilterForm.links(
      without: filter.chosen(at: found.listed.map(\.placement.clinic), context), context)
  }

  /// Says that the town of the filter is unknown, so that no distances are shown.
  private var unknownTown: HTML? {
    if filter.near.isEmpty || found.home != nil { return nil }
    return context.notice(.problem, Text("find.near.unknown", ["place": filter.near]))
  }

  private var emergency: HTML? {
    if found.isDayOff { return context.emergencyLine }
    return context.emergencyNotice(for: filter.words, findingNothing: count == 0)
  }

  private var nobodyYet: HTML {
    context.emptyState(
      .people, "doctors.empty",
      hint: found.lacksHours ? "doctors.empty.hours" : "doctors.empty.hint",
      actions: context.visitor?.roles.contains(.administrator) == true
        ? context.button("doctors.empty.add", to: ClinicList.path, style: .secondary)
        : nil)
  }

  private var results: HTML {
    """
    \(context.resultCount(Text("doctors.count", count: count), unit: order))\
    \(corrected)\(partial)\(childrenOnly)\(unsorted)\(clinics)\(rows: found.shown, row)\(distances)\
    \(context.pageLinks(found.pagination, filter.path))
    """
  }

  /// The words for the order of the list.
  private var order: Text {
    found.isByNextTime ? "find.order.next" : "find.order.name"
  }

  private func row(_ one: FoundDoctors.Timed) -> HTML {
    row(one, below: clinics == nil ? .page : .section)
  }

  private func row(
    _ one: FoundDoctors.Timed, below heading: DoctorRow.Heading
  ) -> HTML {
    DoctorRow(
      listed: one.doctor, times: one.times, wayBack: wayBack, heading: heading, home: found.home,
      context: context
    ).html
  }

  /// The place from which the distances are measured.
  private var distances: HTML? { found.home?.distanceNote(context) }

  private var wayBack: Fields { filter.fields.wayBack(from: found.pagination.page) }

  /// “Results for …”, with links to the other corrections; nil unless the words were corrected.
  private var corrected: HTML? {
    guard let words = found.corrected else { return nil }
    let others = found.corrections.map { words in
      context.button(
        showing: "<bdi>\(words)</bdi>", to: Self.path.query(["q": words]),
        style: [.secondary, .small])
    }
    return context.notice(
      .remark, Text("find.corrected", ["words": words]), as: .information,
      action: others.isEmpty ? nil : "\(actions: others)")
  }

  /// The notice that the doctors see children only, with general practice for adults; nil if the
  /// list has others, or if a child is meant.
  private var childrenOnly: HTML? {
    guard found.isForChildrenOnly else { return nil }
    let isThereForAdults = found.listed.contains {
      $0.specialization == .generalPractice && !$0.placement.isForChildren
    }
    return context.notice(
      .remark, "find.children-only", as: .information,
      action: isThereForAdults ? generalPractice : nil)
  }

  private var generalPractice: HTML {
    let path = Self.path.query(["specialization": Specialization.generalPractice.rawValue])
    return context.button("find.general.show", to: path, style: [.secondary, .small])
  }

  /// The notice that the doctors match some of the words; nil if they match all.
  private var partial: HTML? {
    found.isPartial ? context.notice(.remark, "find.partial", as: .information) : nil
  }

  /// The notice that too many doctors match to sort them by their free times; nil if they are in
  /// the chosen order.
  private var unsorted: HTML? {
    found.isTooLongToSort
      ? context.notice(
        .remark,
        Text(
          filter.day == nil ? "find.sort.too-many" : "find.day.too-many",
          count: FoundDoctors.mostSorted), as: .information)
      : nil
  }

  private var nothingFound: HTML {
    """
    \(context.resultCount(Text("doctors.count", count: 0)))\(corrected)\(clinics)\
    \(found.corrected == nil
      ? FilterForm.links(to: found.corrections, at: Self.path, context) : nil)\
    \(filter.onlyAvailable ? nobodyFree : found.otherDays.isEmpty ? nobodyMatches : nobodyThatDay)
    """
  }

  /// The next free times in place of those of the chosen day, on which nobody has any.
  private var nobodyThatDay: HTML {
    let anyDay = context.button(
      "find.day.show-any", to: Self.path.query(filter.onAnyDay(context.portal).fields),
      style: [.secondary, .small])
    return """
      \(dayTitle.map { context.notice(.remark, $0, as: .information, action: anyDay) })\
      <h2>\(context.text("find.times"))</h2>\(rows: found.otherDays, { row($0, below: .section) })
      """
  }

  /// “No clinic is open on Saturdays”, or that nobody who matches has a free time.
  private var dayTitle: Text? {
    if found.isDayOff, case .weekday(let weekday) = filter.day {
      let day = context.text(Text("weekday.on.\(weekday.number)"))
      return Text("find.day.off", ["day": day])
    }
    return filter.day.map { Text("find.day.none", ["day": $0.title(context)]) }
  }

  /// The empty list of doctors who are free now, with the next times of the day.
  private var nobodyFree: HTML {
    func anyTime(_ style: HTML.ButtonStyle) -> HTML {
      context.button(
        "doctors.any-time", to: filter.withoutAvailability.path(page: 1), style: style)
    }
    if found.laterToday.isEmpty {
      return context.emptyState(
        .people, "doctors.none-free", hint: "doctors.none-free.hint", actions: anyTime(.secondary))
    }
    return """
      \(context.notice(
        .remark, "doctors.none-free", as: .information, action: anyTime([.secondary, .small])))\
      <h2>\(context.text("doctors.later-today"))</h2>\
      \(rows: found.laterToday, { row($0, below: .section) })
      """
  }

  /// The empty list of doctors who match, with general practice, and the specializations that the
  /// portal has.
  private var nobodyMatches: HTML {
    let all = context.button("doctors.all", to: Self.path, style: .secondary)
    let general: HTML? =
      found.listed.contains { $0.specialization == .generalPractice }
      ? context.notice(
        .remark, "find.general", as: .information, action: generalPractice) : nil
    let names = Set(found.listed.map(\.specialization))
      .map { (specialization: $0, name: SearchText(context.text($0.title))) }
      .sorted { $0.name < $1.name }
    let links: [HTML] = names.map { specialization, name in
      let path = Self.path.query(["specialization": specialization.rawValue])
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
        to: ClinicSearch.path.query(["q": filter.words])))</p>
      """
    return """
      <h2>\(context.text("clinics.title"))</h2>\(rows: found.clinics, clinicRow)\(all)\
      <h2>\(context.text("doctors.title"))</h2>
      """
  }
}
