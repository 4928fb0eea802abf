import PolyclinicCore

/// Changes that stop bookings. Each first stores the waiting list calls that are due, because the
/// change would otherwise rewrite past calls.
extension Clinic {
  /// Closes the clinic to new bookings from `now` on. Closing it again changes nothing.
  static func close(_ id: ID<Clinic>, in work: Work) throws {
    try WaitingList.settle(Doctor.ids(at: id, in: work), in: work)
    try work.run(
      """
      UPDATE appointments_clinics SET closed_at = \(work.now)
      WHERE id_clinic = \(id) AND closed_at IS NULL
      """)
  }
}

extension Department {
  /// Closes the department to new bookings from `now` on. Closing it again changes nothing.
  static func close(_ id: ID<Department>, in work: Work) throws {
    let doctors = try Doctor.all(of: id, in: work)
    try WaitingList.settle(doctors.map(\.id), in: work)
    try work.run(
      """
      UPDATE appointments_departments SET closed_at = \(work.now)
      WHERE id_department = \(id) AND closed_at IS NULL
      """)
  }
}

extension Doctor {
  /// Disables the doctor: nothing can be booked from `now` on, and the waiting list closes.
  /// Disabling again changes nothing.
  static func disable(_ id: ID<Doctor>, in work: Work) throws {
    try WaitingList.settle([id], in: work)
    try work.run(
      """
      UPDATE appointments_doctors SET disabled_at = \(work.now)
      WHERE id_doctor = \(id) AND disabled_at IS NULL
      """)
    try WaitingList.settle([id], in: work)
  }
}
