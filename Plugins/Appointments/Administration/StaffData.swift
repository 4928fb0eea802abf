import Foundation
import PolyclinicCore

/// The personal data of clinic staff, and the end of their work: erasure and the withdrawal of a
/// role.
extension Doctor {
  /// Returns the obstacle to erasing a doctor's account: the appointments that are still booked.
  /// Staff must reschedule or cancel them first, so that no patient comes in vain. Returns nil if
  /// nothing is booked.
  static func erasureObstacle(of person: ID<Person>, in work: Work) throws -> Text? {
    guard let placement = try DoctorPlacement.find(of: person, in: work) else { return nil }
    let booked = try OpenBookings(with: placement.doctor.id, in: work)
    return booked.until.map { until in
      Text(
        "erasure.booked", values: ["until": .dateTime(until, placement.clinic.zone)],
        count: booked.count)
    }
  }

  /// Says that the doctor's waiting list is open, and how many people wait; nil if it is closed.
  static func erasureLoss(of person: ID<Person>, in work: Work) throws -> Text? {
    guard let doctor = try of(person, in: work) else { return nil }
    let list = try WaitingList.schedule(of: doctor.id, in: work)
    guard list.isOpen(at: work.now) else { return nil }
    let waiting = list.waiting(at: work.now).count
    return waiting == 0 ? "erasure.list" : Text("erasure.list.waiting", count: waiting)
  }

  /// Disables a doctor whose role is withdrawn: booking stops and the waiting list closes. Existing
  /// appointments stay until staff reschedule or cancel them. With the role given back, the doctor
  /// stays disabled until an administrator enables them.
  static let withdrawal = Withdrawal(
    of: .doctor,
    warning: { person, work in
      guard let doctor = try of(person, in: work), doctor.disabledAt == nil else { return nil }
      let booked = try OpenBookings(with: doctor.id, in: work).count
      return booked == 0 ? "withdrawal.doctor" : Text("withdrawal.doctor.booked", count: booked)
    },
    remainder: { person, work in
      guard let doctor = try of(person, in: work), doctor.disabledAt != nil else { return nil }
      let page = DoctorAdministration.path(doctor.id)
      return ("withdrawal.doctor.disabled", "withdrawal.doctor.enable", page)
    },
    body: { person, work in
      if let doctor = try of(person, in: work) { try disable(doctor.id, in: work) }
    })

  /// Writes the receptions where the person works, and the person's doctor record, into the export.
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    let keys = try work.keys
    let receptions = try Receptionist.clinics(of: keys.person, in: work).map {
      JSON.string($0.name.string(in: .english))
    }
    try copy.write("receptions", .array(receptions))
    let doctor: JSON? = try of(keys.person, in: work).map { doctor in
      try [
        "name": .string(doctor.name.opened(by: keys)),
        "profile": DoctorProfile.form.json(doctor.name.profile(by: keys)),
        "photo": photo(of: doctor.id, by: keys, in: work),
        "slot_minutes": doctor.slotMinutes.map { .integer(Int64($0)) } ?? .null,
      ]
    }
    try copy.write("doctor", doctor ?? .null)
  }

  /// Returns a doctor's photo in Base64; null without one.
  private static func photo(of doctor: ID<Doctor>, by keys: Keys, in work: Work) throws -> JSON {
    guard let photo = try DoctorPhoto.find(of: doctor, by: keys, in: work) else { return .null }
    return .string(Data(photo.picture.bytes).base64EncodedString())
  }
}
