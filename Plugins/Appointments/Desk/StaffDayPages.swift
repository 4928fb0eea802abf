import PolyclinicCore

/// The days of the reception and of the doctor, with the patients' names.
enum StaffDayPages {
  /// Shows the day of the visitor's clinics. Showing the names adds entries to the patients' access
  /// logs.
  static func showReceptionDay(_ context: Context) throws -> Response {
    let visitor = try context.signedIn()
    return try context.write { context in
      let clinics = try Receptionist.clinics(of: visitor.person, in: context)
      let days = try clinics.map { try ClinicDay.find($0, context) }
      let waitingLists = try days.reduce(into: [:]) { waitingLists, day in
        waitingLists.merge(try day.waitingLists(context)) { one, _ in one }
      }
      let waiting = waitingLists.values.flatMap { $0.people(at: context.now) }
      let patients = try Portal.ListedPerson.patients(
        patients(on: days, for: .reception, context) + waiting, for: .reception, context)
      let page = try StaffDayPage(
        title: "reception.title", reason: .reception, days: days, waitingLists: waitingLists,
        called: Set(try days.flatMap { try $0.called(context) }),
        patients: patients, context: context
      ).page
      return AutoRefresh.keeping(.page(page), context)
    }
  }

  /// Shows the doctor's own day, with the patients' names.
  static func showDoctorDay(_ context: Context) throws -> Response {
    try context.write { context in
      guard let placement = try SignedInDoctor.placementIfEntered(context)
      else { return .page(SignedInDoctor.notEntered("day.title", context)) }
      let day = try ClinicDay.find(placement, context)
      let patients = try Portal.ListedPerson.patients(
        patients(on: [day], for: .care, context), for: .care, context)
      let page = try StaffDayPage(
        title: "day.title", reason: .care, days: [day], waitingLists: [:],
        called: Set(try day.called(context)), patients: patients,
        context: context
      ).page
      return AutoRefresh.keeping(.page(page), context)
    }
  }

  /// Returns the patients whose bookings staff may still see.
  private static func patients(
    on days: [ClinicDay], for reason: AccessReason, _ context: Context
  ) -> [ID<Person>] {
    days.flatMap { $0.doctors.flatMap(\.bookings) }
      .filter { $0.isVisible(for: reason, at: context.now) }.map(\.patient)
  }
}
