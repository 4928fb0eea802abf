import PolyclinicCore

/// The personal data of clinic staff, and the end of their work: erasure and the withdrawal of a
/// role.
enum StaffData {
  /// Returns the obstacle to erasing a doctor's account: the appointments that are still booked.
  /// Staff must reschedule or cancel them first, so that no patient comes in vain. Returns nil if
  /// nothing is booked.
  static func erasureObstacle(of person: ID<Person>, in work: Work) throws -> Text? {
    guard let doctor = try Doctor.of(person, in: work) else { return nil }
    let booked = try OpenBookings(with: doctor.id, in: work)
    guard let until = booked.until,
      let zone = try DoctorPlacement.find(doctor.id, in: work)?.clinic.zone
    else { return nil }
    return Text(
      "erasure.booked", values: ["until": .dateTime(until, zone)], count: booked.count)
  }

  /// Says that the doctor's waiting list is open, and how many people wait; nil if it is closed.
  static func erasureLoss(of person: ID<Person>, in work: Work) throws -> Text? {
    guard let doctor = try Doctor.of(person, in: work) else { return nil }
    let list = try WaitingList.schedule(of: doctor.id, in: work)
    guard list.isOpen(at: work.now) else { return nil }
    let waiting = list.waiting(at: work.now).count
    return waiting == 0 ? "erasure.list" : Text("erasure.list.waiting", count: waiting)
  }

  /// Disables a doctor whose role is withdrawn: booking stops and the waiting list closes. Existing
  /// appointments stay until staff reschedule or cancel them.
  static var doctorWithdrawal: Withdrawal {
    Withdrawal(
      of: .doctor, warning: withdrawalWarning(with:in:), remainder: stillDisabled
    ) { person, work in
      guard let doctor = try Doctor.of(person, in: work) else { return }
      try Doctor.disable(doctor.id, in: work)
    }
  }

  /// Says that the doctor is still disabled, with the page on which an administrator enables them;
  /// nil if they are not.
  private static func stillDisabled(
    _ person: ID<Person>, in work: Work
  ) throws -> (notice: Text, label: Text, page: Path)? {
    guard let doctor = try Doctor.of(person, in: work), doctor.disabledAt != nil else {
      return nil
    }
    return ("withdrawal.doctor.disabled", "withdrawal.doctor.enable", "admin/doctors/\(doctor.id)")
  }

  private static func withdrawalWarning(with person: ID<Person>, in work: Work) throws -> Text? {
    guard let doctor = try Doctor.of(person, in: work), doctor.disabledAt == nil
    else { return nil }
    let booked = try OpenBookings(with: doctor.id, in: work).count
    return booked == 0 ? "withdrawal.doctor" : Text("withdrawal.doctor.booked", count: booked)
  }

  /// Writes the receptions where the person works, and the person's doctor record, into the export.
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    let receptions = try Receptionist.clinics(of: work.keys.person, in: work).map {
      JSON.string($0.name.string(in: .english))
    }
    try copy.write("receptions", .array(receptions))
    let doctor = try Doctor.of(work.keys.person, in: work).map { try export($0, by: work.keys) }
    try copy.write("doctor", doctor ?? .null)
  }

  private static func export(_ doctor: Doctor, by keys: Keys) throws -> JSON {
    [
      "name": .string(try doctor.name.opened(by: keys)),
      "profile": DoctorProfile.form.json(try doctor.name.profile(by: keys)),
      "slot_minutes": doctor.slotMinutes.map { .integer(Int64($0)) } ?? .null,
    ]
  }
}
