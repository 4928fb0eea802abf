import PolyclinicCore

extension AppointmentsModule {
  /// The pages of appointments, of those with a doctor and of personal ones.
  var bookingRoutes: [Route] {
    [
      .get("", list),
      .fork("new", choosePageOfNew)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "new?with=doctor"),
      .get("{id}", show),
      .fork("{id}/edit", choosePageOfEdit)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "{id}"),
      .confirm(
        "{id}/cancel", Cancellation.form, title: "cancel.title", question: cancelQuestion,
        yes: "cancel.yes", cancel: "{id}", save: cancel
      ).leadingBack(to: "{id}"),
      .delete("{id}/delete", PersonalAppointment.records, cancel: "{id}"),
      .post("wishes/{id}", joinWishes),
      .post("wishes/{id}/leave", leaveWishes),
    ]
  }

  /// What is told apart at `new`: the way to a doctor's free time, its last page, and a personal
  /// appointment.
  private func choosePageOfNew(_ context: Context) -> Route {
    let request = context.request
    if request.method == .post {
      let isBooking = ["clinic", "department", "doctor"].contains(where: request.fields.contains)
      return isBooking ? bookingForm(after: request.fields) : personalForm
    }
    let query = request.query
    if query.contains("doctor") {
      return step(query, month: showMonth, day: showDay, last: bookingForm(after: query))
    }
    if query.contains("specialization") { return .get("new", showDoctors) }
    return query.contains("clinic") || query.contains("with")
      ? .get("new", showSpecializations) : personalForm
  }

  private func choosePageOfEdit(_ context: Context) throws -> Route {
    let request = context.request
    let booking = try context.database.read { try Booking.find(context.id(), on: $0) }
    guard let booking else { return personalEdit }
    let isOwn = try booking.patient == context.keys.person
    let form = isOwn ? moveForm : staffMoveForm
    if request.method == .post { return form }
    return isOwn
      ? step(request.query, month: showMonthToMove, day: showDayToMove, last: form)
      : step(request.query, month: showMonthForPatient, day: showDayForPatient, last: form)
  }

  /// One step more is known on each page.
  func step(
    _ query: Fields, month: @escaping Route.Handler, day: @escaping Route.Handler,
    last: @autoclosure () -> Route
  ) -> Route {
    if query["date"].isEmpty { return .get("new", month) }
    return query["time"].isEmpty ? .get("new", day) : last()
  }

  /// The last page, which leads back to the times of the day that was chosen.
  private func bookingForm(after chosen: Fields) -> Route {
    .form(
      "new", BookingRequest.form, title: "booking.title", cancel: BookingRequest.day(chosen),
      submit: "booking.submit", start: startBooking, about: aboutBooking, instead: bookInstead,
      save: book)
  }

  private var moveForm: Route {
    .form(
      "{id}/edit", BookingRequest.form, title: "move.title", cancel: "{id}", submit: "move.submit",
      start: startMove, about: aboutMove, instead: moveInstead, save: move)
  }

  private var staffMoveForm: Route {
    .form(
      "{id}/edit", StaffMove.form, title: "move.title", cancel: "{id}", submit: "move.submit",
      start: startStaffMove, about: aboutStaffMove, instead: staffMoveInstead,
      save: moveForPatient)
  }

  private var personalForm: Route {
    .form(
      "new", PersonalAppointment.form, title: "personal.new", cancel: "",
      start: startPersonal, about: aboutPersonal, save: createPersonal)
  }

  private var personalEdit: Route {
    .form(
      "{id}/edit", PersonalAppointment.form, title: "personal.edit", cancel: "{id}",
      load: loadPersonal, save: updatePersonal)
  }
}

extension AppointmentsModule {
  static var bookingWords: Catalog {
    Catalog(
      en: [
        PackageResources.booking_en_json, PackageResources.agenda_en_json,
        PackageResources.desk_en_json,
      ],
      ru: [
        PackageResources.booking_ru_json, PackageResources.agenda_ru_json,
        PackageResources.desk_ru_json,
      ],
      he: [
        PackageResources.booking_he_json, PackageResources.agenda_he_json,
        PackageResources.desk_he_json,
      ])
  }

  var bookingNotices: [NoticeKind] { [.appointmentChanged, .reminder, .earlierTime] }

  var bookingJobs: [Job] { [Job("reminders", Reminder.tellDue)] }

  var bookingLinks: [Link] {
    [
      Link(
        title, to: "", icon: .calendar, about: "agenda.about",
        actions: [Link("agenda.book", to: "new?with=doctor")])
    ]
  }

  var bookingCards: [Card] { [Card("next.title", nextAppointment)] }

  /// What is kept of appointments.
  var bookingData: PersonalData {
    PersonalData(
      .sealed("privacy.bookings", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff"),
      .plain(
        "privacy.booking-times", until: "privacy.until-erased", seenBy: "privacy.seen-by-staff",
        columns: [
          "appointments", "appointments_history", "appointments_wishes", "appointments_grains",
        ]),
      .sealed("privacy.personal", until: "privacy.until-deleted"),
      export: AppointmentExport.export, attachments: CalendarExport.files)
  }
}
