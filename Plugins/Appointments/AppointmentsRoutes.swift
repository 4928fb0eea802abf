import PolyclinicCore

/// Every address of the module: those of each folder, and that of an appointment, which patients and
/// staff share. Paths are below `/appointments`.
extension AppointmentsModule {
  public var routes: [Route] {
    [.get("{id}", show)] + PatientRoutes.all + StaffRoutes.all + ClinicRoutes.all + DoctorRoutes.all
      + CalendarRoutes.all + AdministrationRoutes.all + HoursRoutes.all
  }

  /// Shows an appointment: elsewhere, the visitor's own booking, or that of a patient for whom the
  /// visitor works.
  private func show(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let booking = try Booking.find(context.id(), in: context)
    guard let booking else { return try PersonalPages.show(context) }
    return try booking.patient == person
      ? PatientAppointmentPage.show(booking, context) : StaffAppointmentPage.show(context)
  }
}
