import PolyclinicCore

/// The closing of the doctor's own waiting list.
extension DoctorQueuePage {
  /// The confirmation, on the page itself, because waiting patients lose their places.
  var closing: HTML {
    let told = waiting.count { untold[$0.ticket.person] == nil }
    let consequence =
      told == 0
      ? context.text("queue.close.nobody") : context.text("queue.close.told", count: told)
    return """
      <details class="panel"><summary>\(context.text("queue.close"))</summary>\
      <p>\(consequence)</p>\(untoldList)\(context.button(
        "queue.close.yes", posts: "/appointments/queue/close", style: .danger))</details>\
      <p><a href="/appointments/doctors/\(placement.doctor.id)/display">\
      \(context.text("line.display"))</a></p>
      """
  }

  /// The waiting patients whom the doctor has to tell, with their telephone numbers; nil if there
  /// are none.
  private var untoldList: HTML? {
    let rows = waiting.compactMap { place in
      untold[place.ticket.person]?.row(
        context.text(
          Text("reception.line.number", ["number": context.formats.number(place.ticket.number)])),
        context)
    }
    if rows.isEmpty { return nil }
    return "<p>\(context.text("queue.close.untold", count: rows.count))</p>\(rows: rows)"
  }
}

extension DoctorQueuePages {
  /// Closes the list. The reception gets a notice of the waiting patients whom the portal cannot
  /// tell.
  static func close(_ context: Context) throws -> Path {
    try change(context) { doctor in
      let now = context.now
      let waiting = try WaitingList.schedule(of: doctor.id, in: context)
        .waiting(at: now).map(\.ticket)
      try WaitingList.close(doctor.id, in: context)
      let untold = try waiting.filter {
        try !BookedPatient.hasAccount($0.person, context)
      }
      try tellReception(of: untold, doctor, context)
    }
  }

  private static func tellReception(
    of untold: [Ticket], _ doctor: Doctor, _ context: Context
  ) throws {
    guard let first = untold.first,
      let placement = try DoctorPlacement.find(doctor.id, in: context)
    else { return }
    let numbers = untold.map { String($0.number) }.joined(separator: ", ")
    let notice = Notice(
      .waitingList,
      Text(
        "notice.closed", ["numbers": numbers],
        values: ["doctor": try doctor.name.value(by: context.portal.keys)]),
      leadingTo: "desk", once: "closed-\(first.session)-\(context.now.seconds)",
      expires: context.now + .hours(1))
    for person in try Receptionist.people(at: placement.clinic.id, in: context) {
      try context.portal.notify(person, notice, in: context)
    }
  }
}
