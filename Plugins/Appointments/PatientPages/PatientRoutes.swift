import PolyclinicCore

/// The addresses of the patient's own appointments, with doctors and elsewhere.
enum PatientRoutes {
  static var all: [Route] {
    [
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
    ]
  }
}
