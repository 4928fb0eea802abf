import PolyclinicCore

/// The addresses of the patient's own appointments, with doctors and elsewhere.
enum PatientRoutes {
  static var all: [Route] {
    [
      .get("", AppointmentList.show),
      .fork("new", NewAppointmentPages.choose)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "new?with=doctor").readableByEveryone,
      .fork("{id}/cancel", CancelPages.choose).leadingBack(to: "{id}"),
      .confirm(
        "{id}/decline", title: "decline.title", subject: DeclinePages.find,
        question: DeclinePages.question, yes: "decline.yes", cancel: "{id}",
        save: DeclinePages.decline
      ).leadingBack(to: "{id}"),
      .delete("{id}/delete", PersonalAppointment.records, cancel: "{id}"),
      .get("wishes", EarlierTimeAlertPages.list),
      .post("wishes/{id}", save: EarlierTimeAlertPages.subscribe),
      .post("wishes/{id}/leave", save: EarlierTimeAlertPages.unsubscribe),
    ]
  }
}
