import PolyclinicCore

/// The pages at `new`: the steps towards a doctor's free time, the last page of a booking, and the
/// form for an appointment elsewhere.
enum NewAppointmentPages {
  /// Chooses the page by the query or by the submitted fields.
  static func choose(_ context: Context) throws -> Route {
    let request = context.request
    if request.method == .post {
      let isBooking = ["clinic", "department", "doctor"].contains(where: request.fields.contains)
      return isBooking ? bookingForm(after: request.fields) : personalForm
    }
    let query = request.query
    if query.contains("doctor") {
      if !query["time"].isEmpty, try OwnBookingAtReception.asksForWhom(context) {
        return .get("new", OwnBookingAtReception.leadToSearch)
      }
      if !query["time"].isEmpty, try OwnBookingAtReception.isWithThemselves(context) {
        return .get("new", OwnBookingAtReception.leadToDay)
      }
      if let page = try AnnouncedTime.page(context, times: showTimes(besides:_:)) {
        return page
      }
      if let page = try UnbookableTime.page(context) { return page }
      return FreeTimePages.step(
        query, times: { try showTimes(besides: nil, $0) },
        last: context.visitor == nil
          ? .get("new", GuestBookingPage.show) : bookingForm(after: query))
    }
    if query.contains("specialization") { return .get("new", SpecialistPages.showDoctors) }
    let isGuest = context.visitor == nil
    if query["with"] == "personal" {
      return isGuest ? .get("new") { _ in throw Refusal.signedOut } : personalForm
    }
    return isGuest || query.contains("clinic") || query.contains("with")
      ? .get("new", SpecialistPages.showSpecializations) : personalFormBelow
  }

  /// The last page of a booking. Its cancel link leads back to the times of the chosen day.
  private static func bookingForm(after chosen: Fields) -> Route {
    .form(
      "new", BookingRequest.form, title: "booking.title", cancel: BookingRequest.times(chosen),
      submit: "booking.submit", start: BookingRequest.start, about: BookingPages.about,
      instead: BookingPages.alternatives, save: BookingPages.book)
  }

  private static var personalForm: Route {
    .form(
      "new", PersonalAppointment.form, title: "personal.new", cancel: "",
      start: PersonalPages.start, about: PersonalPages.about, save: PersonalPages.create
    ).saying("personal.saved")
  }

  /// The page of specializations, with the form for an appointment elsewhere folded up below them.
  private static var personalFormBelow: Route {
    .form(
      "new", PersonalAppointment.form, in: SpecialistPages.specializations(above:_:),
      save: PersonalPages.create
    ).saying("personal.saved")
  }

  private static func showTimes(
    besides taken: Slot?, _ context: Context
  ) throws -> Response {
    let doctor = try FreeTimePages.doctor(context)
    return try FreeTimePages(
      base: "/appointments/new", answer: EarlierTimeAlertPages.answer(doctor, context),
      taken: taken, below: EarlierTimeAlertPages.offer(doctor, context)
    ).show(doctor, context)
  }
}
