import PolyclinicCore

/// A form for days with special hours of a doctor or clinic.
protocol SpecialHoursForm: RoutedForm where Draft == SpecialHoursDraft {
  /// The page on which the days and the appointments in them are shown.
  associatedtype Details: SpecialHoursDetails
  var owner: SpecialHours.Owner { get }
  /// The time zone of the clinic.
  var zone: Zone { get }
}

extension SpecialHoursForm {
  /// Stores the days. Leads to the appointments booked in them or to the warning of an open waiting
  /// list, or if there are none to the list.
  func save(_ draft: SpecialHoursDraft, in context: Context) throws -> Redirect {
    let specialHours = try draft.insert(of: owner, in: zone, in: context)
    if try specialHours.meetsWaitingList(in: zone, in: context) {
      return Redirect(to: Details.path(specialHours.id))
    }
    return Redirect(to: try Details.find(specialHours, in: zone, context).next)
  }
}

/// The administrator's form for days off and extra hours of a doctor.
struct NewSpecialHours: SpecialHoursForm {
  typealias Details = SpecialHoursPage
  static let address: Address<ID<Doctor>> = "/appointments/admin/doctors/{id}/exceptions/new"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.exceptions.new"
  static let form = SpecialHoursDraft.doctorForm
  static let cancel = DoctorAdministration.address.pattern

  let owner: SpecialHours.Owner
  let zone: Zone

  init(_ context: Context) throws {
    let placement = try DoctorPlacement.inPath(context)
    (owner, zone) = (.doctor(placement.doctor.id), placement.clinic.zone)
  }
}

/// The form for the days on which a clinic is closed.
struct NewClosedDays: SpecialHoursForm {
  typealias Details = SpecialHoursPage
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/exceptions/new"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.closed-days.new"
  static let form = SpecialHoursDraft.clinicForm
  static let cancel = ClinicAdministration.address.pattern

  let owner: SpecialHours.Owner
  let zone: Zone

  init(_ context: Context) throws {
    let clinic = try Clinic.inPath(context)
    (owner, zone) = (.clinic(clinic.id), clinic.zone)
  }
}

/// The form on which doctors enter their own days off and extra hours.
struct NewOwnSpecialHours: SpecialHoursForm {
  typealias Details = OwnSpecialHoursPage
  static let address: Address<Void> = "/appointments/hours/new"
  static let access = Access.role(.doctor)
  static let title: Text = "admin.exceptions.new"
  static let form = SpecialHoursDraft.doctorForm
  static let cancel = OwnHours.path

  let owner: SpecialHours.Owner
  let zone: Zone

  init(_ context: Context) throws {
    let placement = try SignedInDoctor.placement(context)
    (owner, zone) = (.doctor(placement.doctor.id), placement.clinic.zone)
  }
}

/// Days with special hours, as an administrator enters them.
///
/// The form does not ask for the reason of an absence, because an illness is health data.
struct SpecialHoursDraft: Sendable {
  var kind = DoctorSchedule.SpecialDay.Kind.off
  var first: CalendarDate?
  /// The last day; nil for a single day.
  var last: CalendarDate?
  var starts: TimeOfDay?
  var ends: TimeOfDay?

  /// The maximum number of days that are entered at once.
  private static let dayLimit = 366

  private static let days: [Field<SpecialHoursDraft>] = [
    .date(\.first, "first_day", required: true, autocomplete: "off"),
    .date(\.last, "last_day", autocomplete: "off", hint: "field.last_day.hint"),
  ]

  /// The form for a clinic, which is closed all day.
  static let clinicForm = Form(SpecialHoursDraft(), days[0], days[1]).requiring(daysProblem)

  /// The form for a doctor: off or working, all day or for some hours.
  static let doctorForm = Form(
    SpecialHoursDraft(), .choice(\.kind, "exception"), days[0], days[1],
    .section(
      "admin.exception.section.times",
      .time(\.starts, "starts", hint: "field.starts.hint", rule: DayMinutes.offUnit),
      .time(\.ends, "ends", rule: DayMinutes.offUnit))
  )
  .requiring(daysProblem)
  .requiring { $0.timesProblem }

  private static func daysProblem(_ draft: SpecialHoursDraft) -> Fields.Problem? {
    guard let days = draft.days else {
      return Fields.Problem("last_day", "admin.error.days-reversed")
    }
    let count = days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 + 1
    return count <= dayLimit
      ? nil : Fields.Problem("last_day", Text("admin.error.too-many-days", count: dayLimit))
  }

  private var timesProblem: Fields.Problem? {
    switch (starts, ends) {
    case (nil, nil): kind == .off ? nil : Fields.Problem("starts", "admin.error.extra-times")
    case (nil, .some): Fields.Problem("starts", "admin.error.times-both")
    case (.some, nil): Fields.Problem("ends", "admin.error.times-both")
    default: minutes == nil ? Fields.Problem("ends", "admin.error.reversed") : nil
    }
  }

  /// The days from the first to the last; nil if the last is before the first.
  var days: ClosedRange<CalendarDate>? {
    guard let first else { return nil }
    let last = last ?? first
    return first <= last ? first...last : nil
  }

  /// The time of each day; the whole day if no time is entered.
  var minutes: Range<Int>? {
    starts == nil && ends == nil ? DayMinutes.wholeDay : DayMinutes.range(starts, ends)
  }

  /// Stores each of the days that is not stored yet, and returns the special hours that contain
  /// them. Throws ``Refusal/invalid(_:_:)`` if the first day is over in the clinic's time zone.
  func insert(of owner: SpecialHours.Owner, in zone: Zone, in work: Work) throws -> SpecialHours {
    guard let days, let minutes else {
      throw Refusal.invalid("last_day", "admin.error.days-reversed")
    }
    guard days.lowerBound >= LocalDateTime(work.now, in: zone).date else {
      throw Refusal.invalid("first_day", "admin.error.past-day")
    }
    // Calls that are due are stored first, because the change would otherwise rewrite past ones.
    try WaitingList.settle(owner.doctors(in: work), in: work)
    for day in days.lowerBound.daysSince1970...days.upperBound.daysSince1970 {
      try work.run(
        """
        INSERT INTO appointments_exceptions (doctor, clinic, date, starts, ends, kind)
        VALUES (\(owner.doctor), \(owner.clinic), \(CalendarDate(daysSince1970: day)),
          \(minutes.lowerBound), \(minutes.upperBound), \(kind.rawValue))
        ON CONFLICT DO NOTHING
        """)
    }
    let stored = try SpecialHours.all(of: owner, in: work).first {
      $0.kind == kind && $0.minutes == minutes && $0.days.contains(days.lowerBound)
    }
    guard let stored else { throw Refusal.notFound }
    return stored
  }
}
