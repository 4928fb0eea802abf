import PolyclinicCore

/// A meeting of a patient with a doctor, or an appointment elsewhere that the patient keeps here.
struct Appointment: Sendable {
  /// Where it stands, in the words of FHIR R4 (Appointment.status).
  enum Status: String, CaseIterable, Sendable {
    case booked, arrived, fulfilled, cancelled, noshow
  }
}
