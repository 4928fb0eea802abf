import PolyclinicCore

/// The question with which the doctor or the reception cancels a patient's booking.
struct StaffCancellation: RoutedForm {
  static let address: Address<ID<Appointment>> = "/appointments/{id}/withdraw"
  static let title: Text = "cancel.title"
  static let form = Cancellation.formOfStaff
  static let submit: Text = "cancel.yes"
  static let cancel = StaffAppointmentPage.address.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).leadingBack(to: cancel).marking(by: Booking.area) }

  private let booking: Booking
  private let staff: Booking.Staff
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    (booking, staff) = try Booking.findForStaff(context)
  }

  /// The text above the form, read in a write transaction, because showing the patient's name adds
  /// an entry to their access log.
  var about: HTML? {
    get throws {
      try context.write { context in
        let patient = try BookedPatient.find(of: booking, for: staff, context)
        let told = patient?.notice("reception.withdraw.told", context)
        return "\(patient?.heading)\(try booking.cancelQuestion(above: told, context))"
      }
    }
  }

  var cancelLabel: Text { "cancel.no" }

  func save(_ cancellation: Cancellation, in context: Context) throws -> Redirect {
    try booking.checkUnchanged(context)
    try booking.cancel(by: staff, reason: cancellation.reason, context)
    return Redirect(to: booking.changedDay(for: staff.reason))
  }
}
