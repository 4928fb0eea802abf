import PolyclinicCore

extension Feature {
  /// The reception's day and the doctor's.
  static let desk = Feature(
    words: Catalog(
      en: [PackageResources.desk_en_json],
      ru: [PackageResources.desk_ru_json],
      he: [PackageResources.desk_he_json]),
    routes: [
      ReceptionDay.route, DoctorDay.route, ReceptionBooking.route, ReceptionBookingByLogin.route,
      NewPatientBooking.route, PatientCorrection.route, WalkIn.route, NewWalkIn.route,
      WalkInRemoval.route, WalkInTicket.route, PatientSearch.route, FollowUp.route,
      TicketFollowUp.route, StaffReschedule.route, StaffCancellation.route,
    ] + BookingButtons.routes)
}
