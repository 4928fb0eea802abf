import PolyclinicCore

/// The page of an appointment elsewhere. It stands at ``Appointment/page``, as a booking's does.
struct PersonalAppointmentPage {
  static let deletion: Address<ID<PersonalAppointment>> = "/appointments/{id}/delete"

  private let id: ID<PersonalAppointment>
  private let appointment: PersonalAppointment
  private let isOver: Bool
  /// The warning that a booking of the patient overlaps the appointment; nil if none does.
  private let overlap: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    appointment = try PersonalAppointment.load(context)
    id = try context.id()
    isOver = appointment.startsAt.map { $0 <= context.now } ?? true
    overlap = isOver ? nil : try Self.overlap(appointment, context)
  }

  private static func overlap(
    _ appointment: PersonalAppointment, _ context: Context
  ) throws -> HTML? {
    guard let start = appointment.startsAt else { return nil }
    let span = start..<start + PersonalAppointment.assumedLength
    return try Booking.overlapping(span, of: context.keys.person, in: context).map {
      try Overlap.booking($0).remark(context)
    }
  }

  var page: Page {
    Page(
      BookingText.title(of: appointment.local, context),
      """
      \(overlap)\(appointment.facts(context))
      """,
      back: AppointmentList.path,
      actions: """
        \(actions:
          isOver ? nil : context.button("personal.change", to: EditPersonalAppointment.path(id)),
          isOver ? nil : context.calendarFileLink(of: ID(id.rawValue)),
          context.button(
            "personal.delete", to: Self.deletion.path(id), style: [.danger, .secondary]))
        """)
  }
}

/// The form that changes an appointment elsewhere until it begins.
struct EditPersonalAppointment: RoutedForm {
  static let address: Address<ID<PersonalAppointment>> = "/appointments/personal/{id}"
  static let title: Text = "personal.edit"
  static let form = PersonalAppointment.form
  static let cancel = Appointment.page.pattern
  static let isVersioned = true
  static var route: Route {
    Route(Self.self).saying("personal.saved").leadingBack(to: cancel).forGuardians(.records)
  }

  private let id: ID<PersonalAppointment>
  let start: PersonalAppointment

  init(_ context: Context) throws {
    id = try context.id()
    start = try PersonalAppointment.load(context)
    try start.requireChangeable(at: context.now)
  }

  func save(_ appointment: PersonalAppointment, in context: Context) throws -> Redirect {
    try appointment.replace(start, id, in: context)
    return Redirect(to: PersonalAppointment.page(of: id))
  }
}

extension PersonalAppointment {
  /// Returns the path of the appointment's page.
  static func page(of id: ID<PersonalAppointment>) -> Path {
    Appointment.page.path(ID(id.rawValue))
  }

  /// Returns a list of the fields that have a value.
  func facts(_ context: Context) -> HTML {
    let when = local.map {
      "\(BookingText.day($0.date, context)), \(context.formats.time($0))"
    }
    let facts: [(Text, String)] = [
      ("appointment.when", when ?? ""), ("field.location", location),
      ("personal.doctor", doctorName), ("field.purpose", purpose),
    ]
    return context.facts(facts.map { HTML.Fact($0, lines: $1) })
  }
}
