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
      AppointmentList.route, NewAppointment.route, BookingForm.route, RescheduleForm.route,
      CancelForm.route, DeclineForm.route, EditPersonalAppointment.route,
      .delete(
        PersonalAppointmentPage.deletion.pattern, PersonalAppointment.records,
        cancel: Appointment.page.pattern
      ).forGuardians(.records),
      .post(BookingForm.holding.pattern, access: .everyone, BookingForm.hold),
      EarlierTimeAlertList.route,
      .post(EarlierTimeAlertList.subscription.pattern, save: EarlierTimeAlertList.subscribe)
        .saying("alert.joined"),
      .post(EarlierTimeAlertList.end.pattern, save: EarlierTimeAlertList.unsubscribe)
        .saying("alert.stopped"),
    ],
    personalData: PersonalData(
      .sealed("privacy.purpose", until: "privacy.until-erased", seenBy: "privacy.seen-by-doctor"),
      .sealed("privacy.child", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff"),
      .sealed("privacy.bookings", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff"),
      .plain(
        "privacy.booking-times", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff",
        columns: [
          "appointments", "appointments_history", "appointments_earlier_time_alerts",
          "appointments_claimed_units",
        ]),
      .sealed("privacy.personal", until: "privacy.until-deleted"),
      impersonal: [
        "appointments_held_times": "for visitors without an account, without any sign of them",
        "appointments_retained": "of patients who were erased, without any sign of them",
      ],
      export: Appointment.export,
      loss: Booking.erasureLoss))
}
