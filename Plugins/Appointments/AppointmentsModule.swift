import PolyclinicCore

/// The appointments module: clinics and doctors, bookings, waiting lists, and patients' own
/// appointments elsewhere.
///
/// Files beside this one list the addresses (`AppointmentsRoutes`), the navigation
/// (`AppointmentsLinks`), the texts (`AppointmentsStrings`) and the personal data
/// (`AppointmentsPersonalData`).
///
/// Each folder uses only folders above it in this list, and none uses these files:
///
/// - `Time`: local days, minutes of a day, spans, weekdays and months.
/// - `Clinics`: stored clinics, departments, doctors and receptionists.
/// - `Maps`: the imported map and its drawing.
/// - `Schedule`: a doctor's hours, claimed time and free time.
/// - `WaitingList`: stored waiting lists, their calls and notices.
/// - `Bookings`: stored appointments, their changes, histories and notices.
/// - `Calendar`: files and feeds for other calendars.
/// - `BookingSteps`: the parts of booking pages that patients and staff share.
/// - `PatientPages`, `StaffPages`, `PublicClinics`, `PublicDoctors`, `Administration`: the pages.
/// - `Demonstration`: the data of `make demo`.
public struct AppointmentsModule: Module {
  public let id: ModuleID = "appointments"

  public init() {}

  public var title: Text { "appointments.title" }

  public var kind: Icon.Kind? { Icon.Kind("appointments", .calendarCheck) }

  public var resources: [Resource] { [AppointmentResource.resource] }

  public var jobs: [Job] {
    [
      Job("waiting-lines", WaitingListJob.run), Job("reminders", Reminder.sendDue),
    ]
  }

  public var commands: [Command] {
    [ClinicImport.command, MapImport.command, MapImport.removal, RetainedAppointment.command]
  }

  public var migrations: [Migration] {
    [
      Migration(
        "0001-appointments",
        Clinic.schema + DoctorProfile.schema + Appointment.schema + Ticket.schema
          + ClaimedTime.schema + RetainedAppointment.schema + StoredMap.schema)
    ]
  }

  public var settings: [Setting] {
    [
      Setting("slot_minutes", .integer(5...240), default: 10),
      Setting("cancel_until_hours", .integer(0...168), default: 2),
      Setting("open_bookings", .integer(0...100), default: 10),
    ]
  }

  public var noticeKinds: [Notice.Kind] {
    [.appointmentChanged, .reminder, .earlierTime, .waitingList]
  }

  public var offers: [Offer] {
    [
      Offer((any CareRelations).self, PatientRelations()),
      Offer((any Portal.ClinicContacts).self, PatientsClinic()),
      Offer((any Portal.WaitingRoom).self, ClinicWaitingRoom(module: id)),
    ]
  }

  public var withdrawals: [Withdrawal] { [StaffData.doctorWithdrawal] }

  public var records: [RecordKind] {
    [PersonalAppointment.records.kind("appointments elsewhere", at: "{id}")]
  }

  public var retention: PersonalData.Retention? { RetainedAppointment.retention }

  public var profileParts: [any ProfilePart] { [ClinicProfilePart()] }

  public var demonstration: Demonstration? { AppointmentsDemonstration.town }
}
