import PolyclinicCore

/// A meeting of a patient with a doctor, or an appointment elsewhere that the patient keeps here.
struct Appointment: Sendable {
  /// Where it stands, in the words of FHIR R4 (Appointment.status).
  enum Status: String, CaseIterable, Sendable {
    case booked, arrived, fulfilled, cancelled, noshow

    var title: Text { Text("status.\(rawValue)") }

    /// Whether it still claims the doctor's time.
    var isOpen: Bool { self == .booked || self == .arrived }

    /// The same of a row's `status`; not for that of an appointment elsewhere, which has none.
    static let open: SQL = "status IN ('booked', 'arrived')"

    /// What may follow: somebody who was taken for absent may still have come, and any mark may have
    /// been set by mistake.
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
