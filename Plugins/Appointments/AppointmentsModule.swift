import PolyclinicCore

/// Clinics and their doctors, appointments with them, their waiting lists, and one's own appointments
/// elsewhere.
public struct AppointmentsModule: Module {
  public let id: ModuleID = "appointments"

  public init() {}

  public var title: Text { "appointments.title" }

  public var catalog: Catalog {
    Catalog(
      en: [PackageResources.module_en_json, PackageResources.specialization_en_json],
      ru: [PackageResources.module_ru_json, PackageResources.specialization_ru_json],
      he: [PackageResources.module_he_json, PackageResources.specialization_he_json])
      + Self.bookingWords + Self.waitingListWords + Self.findWords + Self.calendarWords
      + Self.clinicWords
  }

  public var routes: [Route] {
    bookingRoutes + deskRoutes + waitingListRoutes + findRoutes + calendarRoutes + clinicRoutes
  }

  public var resources: [Resource] { [appointmentResource] }

  public var links: [Link] { bookingLinks + findLinks + waitingListLinks + deskLinks + clinicLinks }

  public var cards: [Card] { waitingListCards + bookingCards + findCards }

  public var jobs: [Job] { waitingListJobs + bookingJobs + clinicJobs }

  public var commands: [Command] { clinicCommands }

  public var migrations: [Migration] {
    [
      Clinic.migration, Appointment.migration, Ticket.migration, DoctorTime.migration,
      ClaimedTime.migration, Plan.indexMigration, DoctorName.migration,
    ]
  }

  public var settings: [Setting] {
    [
      Setting("slot_minutes", .integer(5...240), default: 10),
      Setting("cancel_until_hours", .integer(0...168), default: 2),
      Setting("open_bookings", .integer(0...100), default: 10),
    ]
  }

  public var noticeKinds: [NoticeKind] { bookingNotices + waitingListNotices }

  public var offers: [Offer] { [Offer((any CareRelations).self, PatientRelations())] }

  public var withdrawals: [Withdrawal] { [doctorWithdrawal] }

  public var derived: [Derived] { [PersonalAppointment.records.derived] }

  public var trash: Trash? { PersonalAppointment.records.trash(leadingTo: "{id}") }

  public var recoveries: [Recovery] {
    [PersonalAppointment.records.recovery("appointments elsewhere")]
  }

  public var profileParts: [any ProfilePart] { [ClinicProfilePart()] }

  public var personalData: PersonalData {
    bookingData + waitingListData + findData + calendarData + clinicData
  }
}
