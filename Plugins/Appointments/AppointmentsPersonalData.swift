import PolyclinicCore

/// The personal data that the module stores, as the privacy page lists it, with export and erasure.
extension AppointmentsModule {
  public var personalData: PersonalData {
    bookingData + waitingListData + chosenClinicData + feedData + clinicStaffData
  }

  private var bookingData: PersonalData {
    PersonalData(
      .sealed("privacy.purpose", until: "privacy.until-erased", seenBy: "privacy.seen-by-doctor"),
      .sealed("privacy.bookings", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff"),
      .plain(
        "privacy.booking-times", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff",
        columns: [
          "appointments", "appointments_history", "appointments_earlier_time_alerts",
          "appointments_claimed_units",
        ]),
      .sealed("privacy.personal", until: "privacy.until-deleted"),
      impersonal: [
        "appointments_retained": "of patients who were erased, without any sign of them"
      ],
      export: AppointmentExport.export, attachments: CalendarExport.files,
      loss: Booking.erasureLoss)
  }

  private var waitingListData: PersonalData {
    PersonalData(
      .plain(
        "privacy.tickets", until: "privacy.until-erased", seenBy: "privacy.tickets.seen-by",
        columns: ["appointments_tickets"]),
      impersonal: ["appointments_sessions": "when a doctor works, as on the display"],
      export: Ticket.export)
  }

  private var chosenClinicData: PersonalData {
    PersonalData(
      .plain(
        "privacy.chosen-clinic", until: "privacy.until-changed",
        columns: ["appointments_chosen_clinics"]),
      export: ChosenClinic.export)
  }

  /// The secret addresses of a person's calendar feeds.
  private var feedData: PersonalData {
    PersonalData(
      .plain(
        "privacy.feeds", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["secret_addresses"]),
      export: { _, _ in })
  }

  /// The personal data of doctors and receptionists.
  private var clinicStaffData: PersonalData {
    PersonalData(
      .sealed(
        "privacy.doctor-name", until: "privacy.doctor-name.until",
        seenBy: "privacy.doctor-name.seen-by"),
      .plain(
        "privacy.clinic-staff", until: "privacy.until-erased",
        seenBy: "privacy.clinic-staff.seen-by",
        columns: [
          "appointments_doctors.department", "appointments_doctors.slot_minutes",
          "appointments_doctors.disabled_at", "appointments_doctor_profiles", "appointments_hours",
          "appointments_exceptions", "appointments_receptionists",
        ]),
      impersonal: [
        "appointments_clinics": "public", "appointments_departments": "public",
        "appointments_map": "public", "appointments_map_cells": "public",
        "appointments_claimed_blocks":
          "a doctor's booked time as bits, by which nobody is told from another",
      ],
      export: StaffData.export, obstacle: StaffData.erasureObstacle,
      loss: StaffData.erasureLoss)
  }
}
