import PolyclinicCore

/// Every address of the module: those of each folder, and those of an appointment that patients and
/// staff share. Paths are below `/appointments`.
extension AppointmentsModule {
  public var routes: [Route] {
    sharedRoutes + PatientRoutes.all + StaffRoutes.all + ClinicRoutes.all + DoctorRoutes.all
      + CalendarRoutes.all + AdministrationRoutes.all + HoursRoutes.all
  }

  private var sharedRoutes: [Route] {
    [
      .get("{id}", show),
      .fork("{id}/edit", chooseEdit)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "{id}"),
    ]
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

  /// Chooses the page that changes an appointment: elsewhere, the visitor's own booking, or that of
  /// a patient.
  private func chooseEdit(_ context: Context) throws -> Route {
    let booking = try Booking.find(context.id(), in: context)
    guard let booking else { return PersonalPages.editForm }
    return try booking.patient == context.keys.person
      ? ReschedulePages.choose(context) : StaffReschedulePages.choose(context)
  }
}
