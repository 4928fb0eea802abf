import PolyclinicCore

/// An appointment of a patient with a doctor, or one elsewhere that the patient enters here.
struct Appointment: Sendable {
  /// The status, in the terms of FHIR R4 (Appointment.status).
  enum Status: String, CaseIterable, Sendable {
    case booked, arrived, fulfilled, cancelled, noshow

    var title: Text { Text("status.\(rawValue)") }

    /// True if the appointment still claims the doctor's time.
    var isOpen: Bool { self == .booked || self == .arrived }

    /// The same condition on a row's `status`. Not for an appointment elsewhere, which has no
    /// status.
    static let open: SQL = "status IN ('booked', 'arrived')"

    /// The statuses that may follow. A patient marked as a no-show may still come, and any status
    /// may have been set by mistake.
    var next: Set<Status> {
      switch self {
      case .booked: [.arrived, .fulfilled, .cancelled, .noshow]
      case .arrived: [.booked, .fulfilled, .cancelled, .noshow]
      case .noshow: [.booked, .arrived, .fulfilled]
      case .fulfilled: [.booked]
      case .cancelled: []
      }
    }
  }
}
