import PolyclinicCore

/// The doctors and clinics that a search finds, with the free times of the doctors on the page.
struct FoundDoctors {
  let filter: DoctorFilter
  /// All doctors whom the public pages list, whatever the filter.
  let listed: [ListedDoctor]
  /// True if none matches all words, so that those found match some of them.
  let isPartial: Bool
  /// True if the doctors with the next free time are first.
  let isByNextTime: Bool
  /// True if the order is that of free times but too many doctors match. They are in the order by
  /// name, and on a chosen day only the first of them were looked up.
  let isTooLongToSort: Bool
  /// The number of clinics that match the words; 0 without words.
  let clinicCount: Int
  /// The first of the clinics that match the words, by name.
  let clinics: [FoundClinic]
  let pagination: Page.Pagination
  /// The doctors on the page with their next free times.
  let shown: [Timed]
  /// True if doctors were added to clinics, but none is listed, because none has working hours
  /// ahead.
  let lacksHours: Bool
  /// The correction whose results are shown, because the words find neither a doctor nor a clinic;
  /// nil if they find one, or if no correction does.
  let corrected: String?
  /// The other corrections of such words.
  let corrections: [String]
  /// True if only doctors for children treat the complaint, although the words name no child.
  let isForChildrenOnly: Bool
  /// If no doctor who matches is free now: the first of those who have a free time later today.
  let laterToday: [Timed]
  /// If no doctor who matches has a free time on the chosen day: those with the next free times on
  /// other days.
  let otherDays: [Timed]
  /// True if no doctor of any clinic works on the chosen day of the week.
  let isDayOff: Bool
  /// The place from which distances are measured; nil if there are none.
  let home: StartingPoint?

  /// A doctor with the next free times.
  typealias Timed = (doctor: ListedDoctor, times: [Availability.Day])

  /// The maximum number of clinics above the doctors.
  private static let mostClinics = 3
  /// The maximum number of doctors with a free time later today or on other days.
  private static let mostLater = 3
  /// The maximum number of doctors who are sorted by their next free time. The order needs the free
  /// times of each of them, and visitors without an account can ask for it.
  static let mostSorted = 300
  /// The maximum number of doctors of a list that is sorted so although nobody has asked for it.
  static let mostSortedUnasked = 60
  /// The number of doctors on a page. Each takes several lines, and their free times are computed
  /// for it.
  static let pageSize = 15

  init(_ sent: DoctorFilter, _ context: Context) throws {
    let open = try OpenClinics(in: context)
    listed = try ListedDoctor.all(for: sent, at: open, context)
    var filter = sent
    filter.understandWords(among: listed, context)
    home =
      try filter.near.isEmpty
      ? StartingPoint(homeOf: context) : StartingPoint(town: filter.near, context)
    lacksHours =
      try listed.isEmpty
      && context.integer(
        "SELECT 1 FROM appointments_doctors WHERE disabled_at IS NULL LIMIT 1") != nil
    var matched = try listed.found(by: filter, context)
    let searched = filter.query.isEmpty ? nil : try ClinicSearchWords(context.portal)
    func clinics(matching query: SearchText.Query) -> [FoundClinic] {
      searched.map { open.found(by: ClinicFilter(Fields(["q": query.text])), words: $0) } ?? []
    }
    var matching = clinics(matching: filter.query)
    var (corrections, corrected): ([String], String?) = ([], nil)
    if let searched, matched.doctors.isEmpty, matching.isEmpty {
      corrections = try listed.corrections(
        of: filter.query.withoutFillers(context.portal) ?? filter.query,
        with: open.searchTexts(searched), context)
      if let best = corrections.first {
        var better = filter
        better.query = SearchText.Query(best)
        let (doctors, places) = (
          try listed.found(by: better, context), clinics(matching: better.query)
        )
        if !doctors.doctors.isEmpty || !places.isEmpty {
          (filter, matched, matching) = (better, doctors, places)
          corrected = corrections.removeFirst()
        }
      } else if let known = filter.withUnderstoodWordsAlone {
        // Of “Monday morning”, the day was understood.
        matched = (try listed.found(by: known, context).doctors, isPartial: true)
      }
    }
    self.filter = filter
    (self.corrections, self.corrected) = (corrections, corrected)
    clinicCount = matching.count
    self.clinics = try matching.byName(in: context.language).prefix(Self.mostClinics)
      .withOpeningHours(context)
    isPartial = matched.isPartial
    let found = matched.doctors.byName(in: context.language)
    let isForAdults = filter.namesNoChild(context.portal)
    // The words of all specializations are read last, because most lists need none.
    isForChildrenOnly =
      isForAdults && !filter.onlyForChildren && context.visitor?.inCare == nil && !found.isEmpty
      && found.allSatisfy { $0.placement.isForChildren && $0.specialization != .pediatrics }
      && listed.haveSpecialization(namedIn: filter.query, context)
    let isLong = found.count > Self.mostSorted
    let order = filter.order(of: found.count)
    isByNextTime = order == .next && !isLong
    isTooLongToSort = isLong && (order == .next || filter.day != nil)
    // The order, and the choice of a day, need the free times of all doctors found.
    var all: [Timed]?
    if filter.day != nil || isByNextTime {
      let timed = try Self.timed(found.prefix(Self.mostSorted), on: filter.day, context)
        .filter { filter.day == nil || !$0.times.isEmpty }
      all = isByNextTime ? Self.byTime(timed, adultsFirst: isForAdults) : timed
    }
    let pagination = Page.Pagination(
      page: context.request.query.page, total: all?.count ?? found.count, size: Self.pageSize)
    self.pagination = pagination
    var page =
      try all.map { Array($0[pagination.range]) } ?? Self.timed(found[pagination.range], context)
    if !filter.onlyAvailable {
      let doctors = try page.map(\.doctor).withWaitingLists(in: context)
      page = zip(doctors, page).map { ($0, $1.times) }
    }
    shown = page
    laterToday =
      filter.onlyAvailable && found.isEmpty
      ? try Self.laterToday(
        Self.timed(
          listed.found(by: filter.withoutAvailability, context).doctors.prefix(Self.mostSorted),
          context), context)
      : []
    let lacksDay = filter.day != nil && pagination.total == 0
    otherDays =
      lacksDay
      ? try Array(
        Self.byTime(
          Self.timed(found.prefix(Self.mostSorted), context), adultsFirst: isForAdults
        ).filter { !$0.times.isEmpty }.prefix(Self.mostLater))
      : []
    isDayOff = try lacksDay && Self.isOff(filter.day, context)
  }

  /// True if the choice is a day of the week on which no doctor works.
  private static func isOff(_ day: DayChoice?, _ work: Work) throws -> Bool {
    guard case .weekday(let weekday) = day else { return false }
    return try work.integer(
      """
      SELECT 1 FROM appointments_hours WHERE weekday = \(weekday.number) AND kind = 'work' LIMIT 1
      """) == nil
  }

  /// Returns the doctors by their next free time, and those with the same one as they were. Those
  /// who are found by the clinic’s name come after all others. With `adultsFirst`, so do those who
  /// see children only.
  private static func byTime(_ doctors: [Timed], adultsFirst: Bool) -> [Timed] {
    func rank(_ one: Timed) -> Int {
      (one.doctor.isFoundByClinic ? 2 : 0)
        + (adultsFirst && one.doctor.placement.isForChildren ? 1 : 0)
    }
    return doctors.enumerated().sorted { one, other in
      (rank(one.element), key(one.element), one.offset)
        < (rank(other.element), key(other.element), other.offset)
    }.map(\.element)
  }

  /// Returns the doctors with a free time on the current day of their clinic, the next time first.
  private static func laterToday(_ doctors: [Timed], _ context: Context) -> [Timed] {
    let today = doctors.filter {
      $0.times.first?.date == $0.doctor.placement.local(context.now).date
    }
    return Array(today.sorted { key($0) < key($1) }.prefix(mostLater))
  }

  /// Returns the next free time. Doctors without one come last, as do those who refuse the visitor.
  private static func key(_ one: Timed) -> Instant {
    let next = one.doctor.refusesVisitor ? nil : one.times.firstTime
    return next?.span.lowerBound ?? Instant(.max)
  }

  /// Returns doctors with their next free times.
  static func timed(
    _ doctors: some Collection<ListedDoctor>, on day: DayChoice? = nil, _ context: Context
  ) throws -> [Timed] {
    let times = try Availability.next(
      3, times: NextTimesView.cells, of: doctors.map(\.placement), on: day, context)
    return zip(doctors, times).map { ($0, $1) }
  }
}
