import PolyclinicCore

/// The buttons with which a patient joins and leaves a doctor's waiting list.
enum WaitingListPages {
  static func join(_ context: Context, _ connection: Connection) throws -> Path {
    let person = try context.keys.person
    guard let doctor = try Doctor.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    guard doctor.person != person else { throw Refusal.conflict("line.join.own") }
    try WaitingList.join(doctor.id, person, at: context.now, on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return "doctors"
  }

  static func leave(_ context: Context, _ connection: Connection) throws -> Path {
    let person = try context.keys.person
    guard let doctor = try Doctor.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    try WaitingList.leave(doctor.id, person, at: context.now, on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return Path("doctors").query(["left": doctor.id.description])
  }
}
