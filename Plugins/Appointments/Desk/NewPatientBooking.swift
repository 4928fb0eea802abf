import PolyclinicCore

/// The reception's pages that book for a new patient, who gets a record without an account: the
/// doctors, the times, and the form.
struct NewPatientBooking: RoutedForm {
  static let address: Address<Void> = "/appointments/desk/new"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.new"
  static let submit: Text = "booking.submit"
  static let cancel = ReceptionDay.path
  static let preparesOnce = true
  static let form = Form(
    Draft(), .part(\.newPatient, PatientCorrection.form),
    .part(\.booking, BookingRequest.staffForm))

  struct Draft: Sendable {
    var booking = BookingRequest()
    var newPatient = Portal.Newcomer()
  }

  private let attempt: BookingAttempt
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    attempt = BookingAttempt(context, for: nil, by: try .receptionist(context))
  }

  static func origin(_ context: Context) -> Path? { context.times(at: path) }

  var before: Response? {
    get throws {
      let query = context.request.query
      let doctors = ReceptionDoctors(base: Self.path, context: context)
      if query["doctor"].isEmpty {
        return .page(try doctors.page(Self.title, back: Self.cancel, above: heading))
      }
      return query.hasTime ? nil : try doctors.times(above: heading)
    }
  }

  var start: Draft { get throws { Draft(booking: try attempt.start()) } }

  var about: HTML? {
    get throws {
      "\(try KnownPatients(context: context).notice())\(heading)\(try attempt.summaryForStaff)"
    }
  }

  /// The line at the top of each step that names no patient, because the booking is for a new one.
  private var heading: HTML {
    """
    <p class="lead">\(context.text("reception.search.for")) \
    <strong>\(context.text("reception.new.patient"))</strong></p>
    """
  }

  /// Other times; none beside the question about a patient who seems to be known.
  var instead: [Choice] {
    get throws {
      if try attempt.requestedIfAny == nil || KnownPatients(context: context).isAsked { return [] }
      return try attempt.choices
    }
  }

  func prepare(_ draft: inout Draft, in context: Context) throws {
    try KnownPatients(context: context).check(draft.newPatient)
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    // A slot that cannot be booked is refused before the patient is entered.
    _ = try attempt.requested()
    let work = try context.portal.people.enter(draft.newPatient, for: .reception, in: context)
    let booking = try attempt.book(purpose: draft.booking.purpose, for: work)
    return Redirect(to: booking.changedDay(for: .reception))
  }
}
