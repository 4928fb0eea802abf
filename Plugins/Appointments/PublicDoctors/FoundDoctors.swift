import PolyclinicCore

/// The doctors and clinics that a search finds, with the free times of the doctors on the page.
struct FoundDoctors: Sendable {
  let filter: DoctorFilter
  /// All doctors whom the public pages list, whatever the filter.
  let listed: [ListedDoctor]
  /// The doctors that match, in order.
  let doctors: [ListedDoctor]
  /// True if the visitor asked for the order by free time but too many doctors match. They are in the order by name.
  let isTooLongToSort: Bool
  /// The number of clinics that match the words; 0 without words.
  let clinicCount: Int
  /// The first of the clinics that match the words, by name.
  let clinics: [FoundClinic]
  let pagination: Page.Pagination
  /// The doctors on the page with their next free times.
  let shown: [(doctor: ListedDoctor, times: NextTimes)]

  /// The maximum number of clinics above the doctors.
  private static let mostClinics = 3
  /// The maximum number of doctors who are sorted by their next free time. The order needs the free times of each of
  /// them, and visitors without an account can ask for it.
  static let mostSorted = 300
  /// The number of doctors on a page. Each takes several lines, and their free times are computed for it.
  private static let pageSize = 20

  init(_ filter: DoctorFilter, _ context: Context, on connection: Connection) throws {
    self.filter = filter
    listed = try ListedDoctor.all(context, on: connection)
    let found = try listed.matching(filter, context, on: connection).byName(in: context.language)
    pagination = Page.Pagination(
      page: context.request.query.page, total: found.count, size: Self.pageSize)
    let times = { (doctor: ListedDoctor) in
      (doctor: doctor, times: try Self.times(of: doctor, context, on: connection))
    }
    isTooLongToSort = filter.order == .next && found.count > Self.mostSorted
    switch filter.order {
    case .next where !isTooLongToSort:
      // The order needs the free times of all doctors found, not of one page alone.
      let all = try found.map(times).enumerated().sorted { one, other in
        (Self.key(one.element.times), one.offset) < (Self.key(other.element.times), other.offset)
      }.map(\.element)
      doctors = all.map(\.doctor)
      shown = Array(all[pagination.range])
    case .name, .next:
      doctors = found
      shown = try found[pagination.range].map(times)
    }
    let clinicFilter = ClinicFilter(Fields(["q": filter.words]))
    let matching =
      filter.words.isEmpty
      ? []
      : try FoundClinic.all(
        matching: clinicFilter, from: nil, towns: context.portal.gazetteer, on: connection)
    clinicCount = matching.count
    clinics = try matching.byName(in: context.language).prefix(Self.mostClinics).map {
      try $0.withOpeningHours(context, on: connection)
    }
  }

  private static func key(_ times: NextTimes) -> Instant {
    times.first?.span.lowerBound ?? Instant(.max)
  }

  private static func times(
    of doctor: ListedDoctor, _ context: Context, on connection: Connection
  ) throws -> NextTimes {
    try NextTimes.find(of: doctor.placement, days: 3, times: 3, context, on: connection)
  }
}
