import PolyclinicCore

/// Consecutive days on which the hours of a doctor or clinic differ in the same way.
struct SpecialHours: Sendable, Equatable {
  /// The ID of its first day.
  let id: ID<SpecialHours>
  let owner: Owner
  var days: ClosedRange<CalendarDate>
  /// The minutes of each day, 0 to 1440.
  let minutes: Range<Int>
  let kind: DoctorSchedule.SpecialDay.Kind

  /// The doctor or clinic with the special hours.
  enum Owner: Sendable, Hashable {
    case doctor(ID<Doctor>)
    case clinic(ID<Clinic>)

    var doctor: ID<Doctor>? { if case .doctor(let id) = self { id } else { nil } }
    var clinic: ID<Clinic>? { if case .clinic(let id) = self { id } else { nil } }
  }

  /// True if the special hours are whole days.
  var isWholeDay: Bool { minutes == DayMinutes.wholeDay }
}

extension SpecialHours {
  /// Returns the special hours that are not over in the time zone `zone`, by day.
  static func upcoming(
    of owner: Owner, in zone: Zone, _ context: Context
  ) throws -> [SpecialHours] {
    let today = LocalDateTime(context.now, in: zone).date
    return try all(of: owner, in: context).filter { $0.days.upperBound >= today }
  }

  /// Returns the special hours that contain the stored day with this ID; nil if there is none.
  static func find(_ id: ID<SpecialHours>, in work: Work) throws -> SpecialHours? {
    let owner = try work.row(
      "SELECT doctor, clinic FROM appointments_exceptions WHERE id_exception = \(id)"
    ) { row -> Owner in row.isNull(0) ? .clinic(row.id(1)) : .doctor(row.id(0)) }
    guard let owner,
      let day = try days(where: owner.condition, in: work).first(where: { $0.id == id })
    else { return nil }
    return try all(of: owner, in: work).first { specialHours in
      specialHours.kind == day.kind && specialHours.minutes == day.minutes
        && specialHours.days.contains(day.days.lowerBound)
    }
  }

  /// Returns all special hours of an owner, by day.
  static func all(of owner: Owner, in work: Work) throws -> [SpecialHours] {
    try all(where: owner.condition, in: work)
  }

  /// Returns all special hours of a clinic and of these doctors, by day.
  static func all(
    of doctors: [ID<Doctor>], at clinic: ID<Clinic>, in work: Work
  ) throws -> [SpecialHours] {
    try all(where: "doctor IN \(list: doctors) OR clinic = \(clinic)", in: work)
  }

  private static func all(where condition: SQL, in work: Work) throws -> [SpecialHours] {
    var list: [SpecialHours] = []
    for day in try days(where: condition, in: work) {
      let before = day.days.lowerBound.adding(days: -1)
      let last = list.lastIndex {
        $0.owner == day.owner && $0.kind == day.kind && $0.minutes == day.minutes
          && $0.days.upperBound == before
      }
      guard let last else {
        list.append(day)
        continue
      }
      list[last].days = list[last].days.lowerBound...day.days.upperBound
    }
    return list
  }

  /// Returns each stored day by itself. Invalid rows are left out.
  private static func days(where condition: SQL, in work: Work) throws -> [SpecialHours] {
    try work.rows(
      """
      SELECT id_exception, date, starts, ends, kind, doctor, clinic FROM appointments_exceptions
      WHERE \(condition) ORDER BY date, starts, id_exception
      """
    ) { row -> SpecialHours? in
      guard let date = row.date(1),
        let kind = DoctorSchedule.SpecialDay.Kind(rawValue: row.string(4)),
        row.int(2) < row.int(3)
      else { return nil }
      return SpecialHours(
        id: row.id(0), owner: row.isNull(5) ? .clinic(row.id(6)) : .doctor(row.id(5)),
        days: date...date, minutes: row.int(2)..<row.int(3),
        kind: kind)
    }.compactMap(\.self)
  }
}

extension SpecialHours.Owner {
  /// Returns the doctors whose hours depend on this owner's special hours.
  func doctors(in work: Work) throws -> [ID<Doctor>] {
    switch self {
    case .doctor(let doctor): [doctor]
    case .clinic(let clinic): try Doctor.ids(at: clinic, in: work)
    }
  }

  /// The condition on the rows of the owner.
  var condition: SQL {
    switch self {
    case .doctor(let doctor): "doctor = \(doctor)"
    case .clinic(let clinic): "clinic = \(clinic)"
    }
  }
}
