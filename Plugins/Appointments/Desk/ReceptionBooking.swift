import PolyclinicCore

/// A receptionist's booking for a patient who was found, or who has an account.
struct ReceptionBooking: Sendable {
  var booking = BookingRequest()
  /// The patient's complete login or e-mail address.
  var patient = ""
  /// The sealed number of the patient who was chosen from a search.
  var chosen = ""

  /// The form without a chosen patient.
  static let form = Form(
    ReceptionBooking(),
    .text(
      \.patient, "patient", required: true, limit: 254, autocomplete: "off",
      hint: "field.patient.hint"),
    .part(\.booking, BookingRequest.staffForm))

  /// The form for a patient who was chosen from a search.
  static let formOfChosen = Form(
    ReceptionBooking(),
    .text(\.chosen, "patient_id", required: true, limit: 200).told { _, _ in "" }
      .labelled("field.patient"),
    .part(\.booking, BookingRequest.staffForm))
}

/// A receptionist's booking for a patient without an account, who is at the reception.
struct NewPatientBooking: Sendable {
  var booking = BookingRequest()
  var newPatient = Portal.Newcomer()

  static let form = Form(
    NewPatientBooking(),
    .part(\.newPatient, PatientCorrection.form),
    .part(\.booking, BookingRequest.staffForm))
}
