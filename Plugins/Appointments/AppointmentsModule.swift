import PolyclinicCore

/// The appointments module: clinics and doctors, bookings, waiting lists, and patients' own
/// appointments elsewhere.
///
/// It is the sum of its features, each in a folder with its tables, rules, pages and words. Beside
/// this file stand the order of the navigation and of the cards (`AppointmentsLinks`), and the first
/// steps of a new portal (`AppointmentsFirstSteps`).
///
/// Each folder uses only folders above it in this list, and none uses these files:
///
/// - `Feature`: what a folder contributes to the module.
/// - `Time`: local days, minutes of a day, spans, weekdays and months.
/// - `Map`: the imported map and its drawing.
/// - `Clinics`: stored clinics, departments, doctors and receptionists.
/// - `Hours`: a doctor's hours, claimed time and free time.
/// - `WaitingList`: waiting lists, their calls and notices, and leaving them.
/// - `Booking`: appointments, and the patient's pages.
/// - `Calendar`: files and feeds for other calendars.
/// - `Search`: the public pages of clinics and doctors, and the map.
/// - `Desk`: the reception's and the doctor's day, and appointments for their staff.
/// - `Queue`: the page of a doctor's own waiting list.
/// - `Administration`: the administrator's pages, and those of a doctor's own hours.
/// - `Demonstration`: the data of `make demo`.
public struct AppointmentsModule: Module {
  public let id: ModuleID = "appointments"

  public init() {}

  public var title: Text { "appointments.title" }

  public var kind: Icon.Kind? { Icon.Kind("appointments", .calendarCheck) }

  public var resources: [Resource] { [AppointmentResource.resource] }

  public var jobs: [Job] {
    [
      Job("waiting-lines", WaitingList.keepUp), Job("reminders", Booking.sendDueReminders),
      Job("held-times", HeldTime.keepUp),
    ]
  }

  public var commands: [Command] {
    [
      ClinicImport.command, StoredMap.importCommand, StoredMap.removalCommand,
      RetainedAppointment.command,
    ]
  }

  /// The features, each after those whose tables its own refer to.
  private static let features: [Feature] = [
    .clinics, .map, .booking, .waitingList, .hours, .search, .calendar, .desk, .queue,
    .administration,
  ]

  public var catalog: Catalog {
    Self.features.reduce(
      Catalog(
        en: [PackageResources.module_en_json], ru: [PackageResources.module_ru_json],
        he: [PackageResources.module_he_json])
    ) { $0 + $1.words }
  }

  public var assets: [Page.Asset] {
    [
      Page.Asset("appointments.css", PackageResources.appointments_css, for: .everyPage), .position,
      .call, .desk, .display, .freeTimes,
    ] + Page.Asset.map
  }

  public var migrations: [Migration] {
    [Migration("0001-appointments", Self.features.flatMap(\.schema))]
  }

  public var guardianAccess: GuardianAccess { .bookings }

  public var routes: [Route] {
    [.get(Appointment.page.pattern, show).titled("appointment.page")]
      + Self.features.flatMap(\.routes)
  }

  public var personalData: PersonalData {
    Self.features.compactMap(\.personalData).reduce(PersonalData(export: { _, _ in }), +)
  }

  public var settings: [Setting] {
    [
      Setting("slot_minutes", .integer(5...240), default: 10),
      Setting("cancel_until_hours", .integer(0...168), default: 2),
      Setting("open_bookings", .integer(0...100), default: 10),
    ]
  }

  public var noticeKinds: [Notice.Kind] {
    [.appointmentChanged, .ownChange, .reminder, .earlierTime, .waitingList]
  }

  public var offers: [Offer] {
    [
      Offer((any CareRelations).self, PatientRelations()),
      Offer((any Portal.ClinicContacts).self, PatientsClinic(module: id)),
      Offer((any Portal.BegunTasks).self, BegunBooking(module: id)),
      Offer((any Portal.WaitingRoom).self, ClinicWaitingRoom(module: id)),
    ]
  }

  public var withdrawals: [Withdrawal] { [Doctor.withdrawal] }

  public var records: [RecordKind] {
    [PersonalAppointment.records.kind("appointments elsewhere", at: Appointment.page.pattern)]
  }

  public var retention: PersonalData.Retention? { RetainedAppointment.retention }

  public var profileParts: [any ProfilePart] { [ClinicProfilePart()] }

  public var demonstration: Demonstration? { AppointmentsDemonstration.town }

  /// Shows an appointment: elsewhere, the visitor's own booking, or that of a patient for whom the
  /// visitor works.
  private func show(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let booking = try Booking.find(context.id(), in: context)
    guard let booking else { return .page(try PersonalAppointmentPage(context).page) }
    return try booking.patient == person
      ? .page(PatientAppointmentPage(booking, context).page)
      : .page(StaffAppointmentPage(context).page)
  }
}
