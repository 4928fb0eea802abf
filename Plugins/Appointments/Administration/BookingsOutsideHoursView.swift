import PolyclinicCore

/// The list of appointments outside the working hours, with the actions. Only their own doctor sees
/// the patients.
struct BookingsOutsideHoursView {
  let outsideHours: BookingsOutsideHours
  /// The names of the doctors by ID.
  private let doctors: [ID<Doctor>: String]
  /// The patients whose data the visitor may open; empty for administrators.
  private let patients: [ID<Person>: Portal.ListedPerson]
  /// The appointments that were just moved or cancelled.
  private let changed: [Booking]
  /// Those of them whose patients have to be called.
  private let untold: UntoldBookings
  let context: Context

  /// Creates the view. With the reason `care` it needs a write transaction, because showing the
  /// patients' names adds entries to their access logs.
  init(_ outsideHours: BookingsOutsideHours, for reason: AccessReason, _ context: Context) throws {
    self.outsideHours = outsideHours
    self.context = context
    changed = try outsideHours.changed(context)
    let bookings = outsideHours.bookings + changed
    doctors = try Dictionary(
      uniqueKeysWithValues: Set(bookings.map(\.doctor)).map {
        ($0, try DoctorName.find($0, in: context)?.shown(context) ?? "")
      })
    untold = try UntoldBookings(among: changed, for: reason, in: outsideHours.place.zone, context)
    patients =
      reason == .care
      ? try Portal.ListedPerson.patients(bookings.map(\.patient), for: .care, context) : [:]
  }

  func content(empty: Text) -> HTML {
    if outsideHours.bookings.isEmpty { return "\(done)<p>\(context.text(empty))</p>" }
    return """
      \(done)<p role="status">\(context.text(outsideHours.count))</p>\
      \(rows: outsideHours.bookings, row)\
      \(actions:
        context.button("admin.displaced.move", to: outsideHours.place.rescheduling),
        context.button(
          "admin.displaced.cancel", to: outsideHours.place.cancelling,
          style: [.danger, .secondary]))
      """
  }

  /// The notice of the appointments that were just moved, with their new times, or cancelled.
  private var done: HTML? {
    if changed.isEmpty { return nil }
    let moved = changed.filter { $0.status == .booked }
    let count =
      moved.isEmpty
      ? context.text("admin.displaced.cancelled", count: changed.count)
      : context.text("admin.displaced.moved", count: moved.count)
    let rows: HTML? = moved.isEmpty ? nil : "\(rows: moved, row)"
    return "\(HTML.notice(.outcome, "<p>\(count)</p>"))\(rows)\(untold.list(context))"
  }

  private func row(_ booking: Booking) -> HTML {
    let formats = Formats(language: context.language, timeZone: outsideHours.place.zone)
    let time: HTML = "\(formats.dateTime(booking.span.lowerBound))"
    guard let patient = patients[booking.patient] else {
      return .row(time, detail: "<bdi>\(doctors[booking.doctor] ?? "")</bdi>")
    }
    return .row(to: booking.path, time, detail: "<bdi>\(patient.name)</bdi>")
  }
}

extension BookingsOutsideHours {
  /// The maximum number of changed appointments that the page lists.
  private static let mostChanged = 50

  /// Returns the page after all appointments were moved, and are booked again, or were cancelled.
  func page(after status: Appointment.Status) -> Path {
    let ids = bookings.prefix(Self.mostChanged).map(\.id.description)
    return place.page.query([Self.field(status): ids.joined(separator: ",")])
  }

  private static func field(_ status: Appointment.Status) -> String {
    status == .cancelled ? "cancelled" : "moved"
  }

  /// Returns the appointments in the query, if they belong to these doctors and were changed so.
  fileprivate func changed(_ context: Context) throws -> [Booking] {
    try [Appointment.Status.booked, .cancelled].flatMap { status -> [Booking] in
      let numbers = context.request.query[Self.field(status)].split(separator: ",")
      return try numbers.prefix(Self.mostChanged).compactMap { ID(String($0)) }
        .compactMap { try Booking.find($0, in: context) }
        .filter { $0.status == status && owners.contains($0.doctor) }
    }
  }

  /// Returns a notice with a link to the list; nil if the list is empty.
  func notice(_ context: Context) -> HTML? {
    if bookings.isEmpty { return nil }
    return context.notice(
      .problem, count,
      action: context.button("admin.outside.show", to: place.page, style: [.secondary, .small]))
  }
}

/// Those appointments whose patients the portal cannot notify of a change, because they have no
/// account.
struct UntoldBookings {
  private let bookings: [Booking]
  /// The patients whose data the visitor may open; empty for administrators.
  private let patients: [ID<Person>: BookedPatient]
  private let zone: Zone

  /// Creates the list. With the reason `care` it needs a write transaction, because it adds an
  /// entry to each patient's access log.
  init(
    among all: [Booking], for reason: AccessReason, in zone: Zone, _ context: Context
  ) throws {
    self.zone = zone
    let untold = try BookedPatient.withoutAccount(all.map(\.patient), context)
    bookings = all.filter { untold.contains($0.patient) }
    patients = reason == .care ? try BookedPatient.untold(untold, for: .care, context) : [:]
  }

  /// Returns the request to call the patients, with their numbers for their doctor, and only with
  /// the times for others; nil if the portal tells everybody.
  func list(_ context: Context) -> HTML? {
    if bookings.isEmpty { return nil }
    let people = Set(bookings.map(\.patient))
    let request: Text =
      people.allSatisfy { patients[$0] != nil }
      ? "admin.displaced.untold" : "admin.displaced.untold.reception"
    let rows = bookings.map { booking -> HTML in
      let time = BookingText.dateTime(booking.span.lowerBound, in: zone, context)
      return patients[booking.patient]?.row(time, context) ?? .row("\(time)")
    }
    return "<p>\(context.text(request, count: people.count))</p>\(rows: rows)"
  }
}
