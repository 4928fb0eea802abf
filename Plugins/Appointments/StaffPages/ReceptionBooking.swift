import PolyclinicCore

/// A receptionist's booking for a patient who was found, or who has an account.
struct ReceptionBooking: Sendable {
  var booking = BookingRequest()
  /// The patient's complete login or e-mail address.
  var patient = ""
  /// The number of the patient who was chosen from a search.
  var chosen = ""

  /// The form without a chosen patient.
  static let form = Form(
    ReceptionBooking(),
    .text(
      \.patient, "patient", required: true, limit: 254, autocomplete: "off",
      hint: "field.patient.hint"),
    .part(\.booking, BookingRequest.form))

  /// The form for a patient who was chosen from a search.
  static let formOfChosen = Form(
    ReceptionBooking(),
    .text(\.chosen, "patient_id", required: true, limit: 20).told { number, _ in number }
      .labelled("field.patient"),
    .part(\.booking, BookingRequest.form))
}

/// A receptionist's booking for a patient without an account, who is at the reception.
struct NewPatientBooking: Sendable {
  var booking = BookingRequest()
  var newPatient = Portal.Newcomer()

  static let form = Form(
    NewPatientBooking(),
    .text(\.newPatient.name, "name", required: true, limit: 100, autocomplete: "off")
      .labelled("desk.name"),
    .text(\.newPatient.surname, "surname", limit: 100, autocomplete: "off")
      .labelled("desk.surname"),
    .telephone(\.newPatient.phone, "phone", autocomplete: "off").labelled("desk.phone"),
    .date(\.newPatient.birthDate, "birth_date", autocomplete: "off").labelled("desk.birth-date"),
    .part(\.booking, BookingRequest.form))
}
