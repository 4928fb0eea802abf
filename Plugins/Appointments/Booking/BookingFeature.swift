import PolyclinicCore

extension Feature {
  /// Appointments: booking, changing and cancelling them, and those elsewhere.
  static let booking = Feature(
    words: Catalog(
      en: [PackageResources.booking_en_json, PackageResources.agenda_en_json],
      ru: [PackageResources.booking_ru_json, PackageResources.agenda_ru_json],
      he: [PackageResources.booking_he_json, PackageResources.agenda_he_json]),
    schema: Appointment.schema + RetainedAppointment.schema,
    routes: [
      .get("", AppointmentList.show),
      NewAppointmentPages.route, BookingPages.route, ReschedulePages.route, CancelPages.route,
      .confirm(
        "{id}/decline", title: "decline.title", subject: DeclinePages.find,
        question: DeclinePages.question, yes: "decline.yes", cancel: "{id}",
        save: DeclinePages.decline
      ).leadingBack(to: "{id}"),
      PersonalPages.editRoute,
      .delete("{id}/delete", PersonalAppointment.records, cancel: "{id}"),
      .get("wishes", EarlierTimeAlertPages.list),
      .post("wishes/{id}", save: EarlierTimeAlertPages.subscribe)
        .saying("alert.joined"),
      .post("wishes/{id}/leave", save: EarlierTimeAlertPages.unsubscribe)
        .saying("alert.stopped"),
    ],
    personalData: PersonalData(
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
      export: AppointmentExport.export,
      loss: Booking.erasureLoss))
}
