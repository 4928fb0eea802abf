import PolyclinicCore

/// The doctors and clinics that a search finds, with the free times of the doctors on the page.
struct FoundDoctors: Sendable {
  let filter: DoctorFilter
  /// All doctors whom the public pages list, whatever the filter.
  let listed: [ListedDoctor]
  /// The doctors that match, in order.
  let doctors: [ListedDoctor]
  /// The clinics that match the words; empty without words.
  let clinics: [FoundClinic]
  let pagination: Page.Pagination
  /// The doctors on the page with their next free times.
  let shown: [(doctor: ListedDoctor, times: NextTimes)]

  /// The maximum number of clinics above the doctors.
  static let mostClinics = 3
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
    switch filter.order {
    case .name:
      doctors = found
      shown = try found[pagination.range].map(times)
    case .next:
      // The order needs the free times of all doctors found, not of one page alone.
      let all = try found.map(times).enumerated().sorted { one, other in
        (Self.key(one.element.times), one.offset) < (Self.key(other.element.times), other.offset)
      }.map(\.element)
      doctors = all.map(\.doctor)
      shown = Array(all[pagination.range])
    }
    let clinicFilter = ClinicFilter(Fields(["q": filter.words]))
    clinics =
      filter.words.isEmpty
      ? []
      : try FoundClinic.all(
        matching: clinicFilter, from: nil, towns: context.portal.gazetteer, on: connection)
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
