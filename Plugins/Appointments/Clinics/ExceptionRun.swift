import PolyclinicCore

/// Days in a row on which a doctor's or a clinic's hours differ in the same way.
struct ExceptionRun: Sendable, Equatable {
  /// The number of its first day.
  let id: ID<ExceptionRun>
  let owner: Owner
  var days: ClosedRange<CalendarDate>
  /// Minutes of each day, 0 to 1440.
  let minutes: Range<Int>
  let kind: Plan.Exception.Kind

  /// Whose hours differ.
  enum Owner: Sendable, Hashable {
    case doctor(ID<Doctor>)
    case clinic(ID<Clinic>)

    var doctor: ID<Doctor>? { if case .doctor(let id) = self { id } else { nil } }
    var clinic: ID<Clinic>? { if case .clinic(let id) = self { id } else { nil } }
  }

  /// Whether it fills its days.
  var isWholeDay: Bool { minutes == DayMinutes.wholeDay }
}

extension ExceptionRun {
  /// Those that are not over yet by the clocks of `zone`, by day.
  static func upcoming(
    of owner: Owner, in zone: Zone, _ context: Context, on connection: Connection
  ) throws -> [ExceptionRun] {
    let today = LocalDateTime(context.now, in: zone).date
    return try all(of: owner, on: connection).filter { $0.days.upperBound >= today }
  }

  /// The one to which a stored day belongs; nil for an unknown number.
  static func find(_ id: ID<ExceptionRun>, on connection: Connection) throws -> ExceptionRun? {
    let owner = try connection.row(
      "SELECT doctor, clinic FROM appointments_exceptions WHERE id_exception = \(id)"
    ) { row -> Owner in row.isNull(0) ? .clinic(row.id(1)) : .doctor(row.id(0)) }
    guard let owner,
      let day = try days(of: owner, on: connection).first(where: { $0.id == id })
    else { return nil }
    return try all(of: owner, on: connection).first { run in
      run.kind == day.kind && run.minutes == day.minutes
        && run.days.contains(day.days.lowerBound)
    }
  }

  /// Stores each of the days; what is stored already stays. Returns the number of the first.
  static func insert(
    _ kind: Plan.Exception.Kind, of owner: Owner, on days: ClosedRange<CalendarDate>,
    minutes: Range<Int>, at now: Instant, on connection: Connection
  ) throws -> ID<ExceptionRun> {
    try Doctor.settle(owner.doctors(on: connection), at: now, on: connection)
    for day in days.lowerBound.daysSince1970...days.upperBound.daysSince1970 {
      try connection.run(
        """
        INSERT INTO appointments_exceptions (doctor, clinic, date, starts, ends, kind)
        VALUES (\(owner.doctor), \(owner.clinic), \(CalendarDate(daysSince1970: day)),
          \(minutes.lowerBound), \(minutes.upperBound), \(kind.rawValue))
        ON CONFLICT DO NOTHING
        """)
    }
    let stored = try all(of: owner, on: connection).first {
      $0.kind == kind && $0.minutes == minutes && $0.days.contains(days.lowerBound)
    }
    guard let stored else { throw Refusal.notFound }
    return stored.id
  }

  /// The hours of its days are the usual ones again.
  func delete(at now: Instant, on connection: Connection) throws {
    try Doctor.settle(owner.doctors(on: connection), at: now, on: connection)
    try connection.run(
      """
      DELETE FROM appointments_exceptions
      WHERE \(owner.condition) AND kind = \(kind.rawValue)
        AND starts = \(minutes.lowerBound) AND ends = \(minutes.upperBound)
        AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      """)
  }

  /// All runs of an owner, by day.
  private static func all(of owner: Owner, on connection: Connection) throws -> [ExceptionRun] {
    var runs: [ExceptionRun] = []
    for day in try days(of: owner, on: connection) {
      let before = day.days.lowerBound.adding(days: -1)
      let last = runs.lastIndex {
        $0.kind == day.kind && $0.minutes == day.minutes && $0.days.upperBound == before
      }
      guard let last else {
        runs.append(day)
        continue
      }
      runs[last].days = runs[last].days.lowerBound...day.days.upperBound
    }
    return runs
  }

  /// The stored days, each a run by itself; one that cannot be read is left out.
  private static func days(of owner: Owner, on connection: Connection) throws -> [ExceptionRun] {
    try connection.rows(
      """
      SELECT id_exception, date, starts, ends, kind FROM appointments_exceptions
      WHERE \(owner.condition) ORDER BY date, starts, id_exception
      """
    ) { row -> ExceptionRun? in
      guard let date = row.date(1), let kind = Plan.Exception.Kind(rawValue: row.string(4)),
        row.int(2) < row.int(3)
      else { return nil }
      return ExceptionRun(
        id: row.id(0), owner: owner, days: date...date, minutes: row.int(2)..<row.int(3),
        kind: kind)
    }.compactMap(\.self)
  }
}

extension ExceptionRun.Owner {
  /// Where it is shown.
  var page: Path {
    switch self {
    case .doctor(let doctor): "admin/doctors/\(doctor)"
    case .clinic(let clinic): "admin/clinics/\(clinic)"
    }
  }

  /// Whose hours depend on it.
  func doctors(on connection: Connection) throws -> [ID<Doctor>] {
    switch self {
    case .doctor(let doctor): [doctor]
    case .clinic(let clinic): try Doctor.ids(at: clinic, on: connection)
    }
  }

  fileprivate var condition: SQL {
    switch self {
    case .doctor(let doctor): "doctor = \(doctor)"
    case .clinic(let clinic): "clinic = \(clinic)"
    }
  }
}
