import PolyclinicCore

/// The desk of a clinic: its day, doctor by doctor, and what is done there for patients.
extension AppointmentsModule {
  var deskRoutes: [Route] {
    [
      .get("desk", access: .role(.receptionist), showReception),
      .get("day", access: .role(.doctor), showOwnDay),
      .fork("desk/book", access: .role(.receptionist)) { step($0, last: deskForm) },
      .fork("desk/new", access: .role(.receptionist)) { step($0, last: newcomerForm) },
      followUpRoute,
      .post("{id}/arrived", save: { try mark(.arrived, $0, $1) }).leadingBack(to: "{id}"),
      .post("{id}/fulfilled", save: { try mark(.fulfilled, $0, $1) }).leadingBack(to: "{id}"),
      .post("{id}/noshow", save: { try mark(.noshow, $0, $1) }).leadingBack(to: "{id}"),
      .post("{id}/booked", save: { try mark(.booked, $0, $1) }).leadingBack(to: "{id}"),
      .confirm(
        "{id}/withdraw", Cancellation.formOfStaff, title: "cancel.title",
        question: withdrawQuestion, yes: "cancel.yes", cancel: "{id}", save: withdraw
      ).leadingBack(to: "{id}"),
    ]
  }

  var deskLinks: [Link] {
    [
      Link(
        "desk.title", to: "desk", access: .role(.receptionist), icon: .screen, about: "desk.about",
        landing: .receptionist),
      Link("day.title", to: "day", access: .role(.doctor), icon: .calendar, about: "day.about"),
    ]
  }

  private func step(_ context: Context, last: Route) -> Route {
    let query = context.request.query
    if context.request.method == .post { return last }
    if query["doctor"].isEmpty { return .get("desk/book", showDeskDoctors) }
    if query["date"].isEmpty { return .get("desk/book", showDeskMonth) }
    return query["time"].isEmpty ? .get("desk/book", showDeskDay) : last
  }

  private var deskForm: Route {
    .form(
      "desk/book", DeskBooking.form, title: "desk.book", cancel: "desk", submit: "booking.submit",
      start: startDeskBooking, about: aboutDeskBooking, instead: deskInstead, save: bookAtDesk)
  }

  private var newcomerForm: Route {
    .form(
      "desk/new", NewcomerBooking.form, title: "desk.new", cancel: "desk",
      submit: "booking.submit", start: startNewcomerBooking, instead: deskInstead,
      save: bookForNewcomer)
  }

  /// The day of the visitor's clinics; that the names were looked at is recorded.
  func showReception(_ context: Context) throws -> Response {
    let visitor = try context.signedIn()
    return try context.database.write { connection in
      let clinics = try Receptionist.clinics(of: visitor.person, on: connection)
      let days = try clinics.map { try ReceptionDay.find($0, context, on: connection) }
      let lines = try days.reduce(into: [:]) { lines, day in
        lines.merge(try day.lines(context, on: connection)) { one, _ in one }
      }
      let waiting = lines.values.flatMap { $0.people(at: context.now) }
      let names = try names(
        of: patients(on: days, for: .desk, context) + waiting, for: .desk, context,
        on: connection)
      return try .page(
        ReceptionPage(
          title: "desk.title", reason: .desk, days: days, lines: lines, names: names,
          context: context
        ).page)
    }
  }

  /// The doctor's own day, by names.
  func showOwnDay(_ context: Context) throws -> Response {
    try context.database.write { connection in
      guard let doctor = try ownDoctor(context, on: connection),
        let practice = try Practice.find(doctor.id, on: connection)
      else { return .page(notEntered("day.title", context)) }
      let day = try ReceptionDay.find(practice, context, on: connection)
      let names = try names(
        of: patients(on: [day], for: .care, context), for: .care, context, on: connection)
      return try .page(
        ReceptionPage(
          title: "day.title", reason: .care, days: [day], lines: [:], names: names, context: context
        ).page)
    }
  }

  /// Those whose appointments may still be looked at.
  private func patients(
    on days: [ReceptionDay], for reason: AccessReason, _ context: Context
  ) -> [ID<Person>] {
    days.flatMap { $0.doctors.flatMap(\.bookings) }
      .filter { $0.concerns(reason, at: context.now) }.map(\.patient)
  }

  /// How people are called; each reads in the access log that somebody has looked.
  func names(
    of people: [ID<Person>], for reason: AccessReason, _ context: Context,
    on connection: Connection
  ) throws -> [ID<Person>: String] {
    let keys = try context.keys(of: Array(Set(people)), for: reason, on: connection)
    return try keys.compactMapValues { try context.portal.people.name(by: $0, on: connection) }
  }

  /// Notes that somebody came, was seen, or did not come, or that none of it is so: the doctor's and the
  /// desk's buttons.
  func mark(
    _ status: Appointment.Status, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (booking, staff) = try staffed(context, on: connection)
    try checkUnchanged(booking, context)
    if let obstacle = booking.obstacle(to: status, at: context.now) {
      throw Refusal.conflict(obstacle)
    }
    do { try booking.become(status, by: staff, context, on: connection) } catch is DoctorTime.Taken
    {
      throw Refusal.conflict("desk.given-away")
    }
    if status == .fulfilled {
      try Wish.leave(booking.doctor, booking.patient, on: connection)
    }
    let date = context.request.fields["date"]
    let days = Booking.days(for: staff.reason)
    return date.isEmpty ? days : days.query(["date": date])
  }
}
