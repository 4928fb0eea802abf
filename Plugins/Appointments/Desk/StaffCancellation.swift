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
        let doctor = try DoctorName.find(booking.doctor, in: context)?.shown(context)
        let values = [
          "doctor": doctor ?? "",
          "time": BookingText.span(booking.span, in: booking.zone, context),
        ]
        let patient = try BookedPatient.find(of: booking, for: staff, context)
        return """
          \(patient?.heading)<p>\(context.text("cancel.question", values))</p>\
          \(patient?.notice("reception.withdraw.told", context))\
          <input type="hidden" name="sequence" value="\(booking.sequence)">
          """
      }
    }
  }

  func save(_ cancellation: Cancellation, in context: Context) throws -> Redirect {
    try booking.checkUnchanged(context)
    try booking.cancel(by: staff, reason: cancellation.reason, context)
    return Redirect(to: booking.changedDay(for: staff.reason))
  }
}
