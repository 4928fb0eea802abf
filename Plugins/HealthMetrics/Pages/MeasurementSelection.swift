import PolyclinicCore

/// The measurements that a list shows: a page of all of them, or of one month. The newest come
/// first.
struct MeasurementSelection<Entry: CodedEntry & Measured> {
  let entries: [Entry]
  let pagination: Page.Pagination
  /// The first day of the chosen month; nil for all measurements.
  let month: CalendarDate?
  /// The first days of all months from the latest measurement to the earliest, the latest first.
  let months: [CalendarDate]

  /// The most months that can be chosen: a century.
  private static var mostMonths: Int { 1_200 }

  /// Reads `month` and `page` of a query. Shows all measurements if `month` is not a month.
  init(
    _ query: Fields, of index: SealedIndex<Entry>, in zone: Zone, in work: Work
  ) throws {
    let all = try index.page(query.page, in: work)
    let month = CalendarDate("\(query["month"])-01")
    self.month = month
    months = try Self.months(all, of: index, in: work)
    guard let month else {
      entries = all.entries
      pagination = all.pagination
      return
    }
    let span = DaySpan(from: month, to: PeriodLength.month.end(of: month).adding(days: -1))
    let found = try span.entries(of: index, in: zone, in: work)
    let pagination = Page.Pagination(page: query.page, total: found.count)
    entries = Array(found.reversed()[pagination.range])
    self.pagination = pagination
  }

  /// Returns the months between the first entry of the first page and the last one of the last
  /// page.
  private static func months(
    _ page: SealedIndex<Entry>.Slice, of index: SealedIndex<Entry>, in work: Work
  ) throws -> [CalendarDate] {
    let count = page.pagination.pageCount
    let first = try index.page(1, in: work).entries.first
    let last = try index.page(count, in: work).entries.last
    guard let first, let last else { return [] }
    let end = PeriodLength.month.start(of: last.time.day)
    var months: [CalendarDate] = []
    var month = PeriodLength.month.start(of: first.time.day)
    while month >= end, months.count < mostMonths {
      months.append(month)
      month = PeriodLength.month.start(of: month.adding(days: -1))
    }
    return months
  }

  /// The months before and after the chosen one, as far as there are measurements.
  var neighbours: (earlier: CalendarDate?, later: CalendarDate?) {
    guard let month, let latest = months.first, let earliest = months.last else {
      return (nil, nil)
    }
    let earlier = PeriodLength.month.start(of: month.adding(days: -1))
    let later = PeriodLength.month.end(of: month)
    return (earlier >= earliest ? earlier : nil, later <= latest ? later : nil)
  }
}

extension CalendarDate {
  /// The month as it stands in addresses, such as 2026-11.
  var monthInAddress: String { String(description.dropLast(3)) }
}
