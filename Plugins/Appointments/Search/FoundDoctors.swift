import PolyclinicCore

/// The doctors and clinics that a search finds, with the free times of the doctors on the page.
struct FoundDoctors {
  let filter: DoctorFilter
  /// All doctors whom the public pages list, whatever the filter.
  let listed: [ListedDoctor]
  /// True if none matches all words, so that those found match some of them.
  let isPartial: Bool
  /// True if the visitor asked for the order by free time but too many doctors match. They are in
  /// the order by name.
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
  /// Corrections of the words if they find neither a doctor nor a clinic.
  let corrections: [String]
  /// If no doctor who matches is free now: the first of those who have a free time later today.
  let laterToday: [Timed]

  /// A doctor with the next free times.
  typealias Timed = (doctor: ListedDoctor, times: [Availability.Day])

  /// The maximum number of clinics above the doctors.
  private static let mostClinics = 3
  /// The maximum number of doctors with a free time later today.
  private static let mostLater = 3
  /// The maximum number of doctors who are sorted by their next free time. The order needs the free
  /// times of each of them, and visitors without an account can ask for it.
  static let mostSorted = 300
  /// The number of doctors on a page. Each takes several lines, and their free times are computed
  /// for it.
  private static let pageSize = 20

  init(_ filter: DoctorFilter, _ context: Context) throws {
    self.filter = filter
    let open = try OpenClinics(in: context)
    listed = try ListedDoctor.all(for: filter, at: open, context)
    lacksHours =
      try listed.isEmpty
      && context.integer(
        "SELECT 1 FROM appointments_doctors WHERE disabled_at IS NULL LIMIT 1") != nil
    let matched = try listed.found(by: filter, context)
    isPartial = matched.isPartial
    let found = matched.doctors.byName(in: context.language)
    pagination = Page.Pagination(
      page: context.request.query.page, total: found.count, size: Self.pageSize)
    isTooLongToSort = filter.order == .next && found.count > Self.mostSorted
    var page: [Timed]
    switch filter.order {
    case .next where !isTooLongToSort:
      // The order needs the free times of all doctors found, not of one page alone.
      let all = try Self.timed(found, context).enumerated().sorted { one, other in
        (Self.key(one.element.times), one.offset) < (Self.key(other.element.times), other.offset)
      }.map(\.element)
      page = Array(all[pagination.range])
    case .name, .next: page = try Self.timed(found[pagination.range], context)
    }
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
    let clinicFilter = ClinicFilter(Fields(["q": filter.words]))
    let words = filter.words.isEmpty ? nil : try ClinicSearchWords(context.portal)
    let matching = words.map { open.found(by: clinicFilter, words: $0) } ?? []
    clinicCount = matching.count
    if let words, found.isEmpty, matching.isEmpty {
      corrections = try filter.query.corrections(
        from: listed.searchTexts(context) + open.searchTexts(words),
        limit: FilterForm.mostCorrections)
    } else {
      corrections = []
    }
    clinics = try matching.byName(in: context.language).prefix(Self.mostClinics)
      .withOpeningHours(context)
  }

  /// Returns the doctors with a free time on the current day of their clinic, the next time first.
  private static func laterToday(_ doctors: [Timed], _ context: Context) -> [Timed] {
    let today = doctors.filter {
      $0.times.first?.date == $0.doctor.placement.local(context.now).date
    }
    return Array(today.sorted { key($0.times) < key($1.times) }.prefix(mostLater))
  }

  private static func key(_ times: [Availability.Day]) -> Instant {
    times.firstTime?.span.lowerBound ?? Instant(.max)
  }

  /// Returns doctors with their next free times.
  private static func timed(
    _ doctors: some Collection<ListedDoctor>, _ context: Context
  ) throws -> [Timed] {
    let times = try Availability.next(3, times: 3, of: doctors.map(\.placement), context)
    return zip(doctors, times).map { ($0, $1) }
  }
}
