import PolyclinicCore

extension AppointmentsModule {
  /// The doctor's own desk. It is shown in a transaction that writes: it shows names, and each look is
  /// recorded for the people to read.
  func showDesk(_ context: Context) throws -> Response {
    try context.database.write { connection in
      guard let doctor = try ownDoctor(context, on: connection),
        let practice = try Practice.find(doctor.id, on: connection)
      else { return .page(notEntered("queue.title", context)) }
      let now = context.now
      let line = try WaitingList.line(of: doctor.id, at: now, on: connection)
      let booked = try booked(practice, at: now, on: connection)
      let names = try names(
        of: line.people(at: now) + booked.map(\.patient), for: .care, context, on: connection)
      let desk = DeskPage(
        practice: practice, line: line, booked: booked, names: names, context: context)
      return .page(try desk.page)
    }
  }

  func openDesk(_ context: Context, _ connection: Connection) throws -> Path {
    try atOwnDesk(context, connection) { doctor in
      try WaitingList.open(
        doctor, slotMinutes: context.portal.settings.integer("slot_minutes"), at: context.now,
        on: connection)
    }
  }

  func closeDesk(_ context: Context, _ connection: Connection) throws -> Path {
    try atOwnDesk(context, connection) {
      try WaitingList.close($0.id, at: context.now, on: connection)
    }
  }

  func callNext(_ context: Context, _ connection: Connection) throws -> Path {
    try atOwnDesk(context, connection) { doctor in
      try WaitingList.callNext(
        doctor.id, expecting: ID(context.request.fields["ticket"]), at: context.now, on: connection)
    }
  }

  func finishTreatment(_ context: Context, _ connection: Connection) throws -> Path {
    try atOwnDesk(context, connection) { doctor in
      try WaitingList.finish(
        doctor.id, expecting: ID(context.request.fields["ticket"]), at: context.now, on: connection)
    }
  }

  private func atOwnDesk(
    _ context: Context, _ connection: Connection, _ change: (Doctor) throws -> Void
  ) throws -> Path {
    guard let doctor = try ownDoctor(context, on: connection) else {
      throw Refusal.conflict("queue.none")
    }
    try change(doctor)
    try WaitingList.tellNews(by: context.portal, on: connection)
    return context.request.fields["live"] == "1" ? "queue?live=1" : "queue"
  }

  /// The doctor who signed in; nil for a doctor whom no clinic has entered yet.
  func ownDoctor(_ context: Context, on connection: Connection) throws -> Doctor? {
    try Doctor.of(context.signedIn().person, on: connection)
  }

  /// Today's appointments whose time is not over; what was cancelled or has taken place is left out.
  private func booked(
    _ practice: Practice, at now: Instant, on connection: Connection
  ) throws -> [Booking] {
    let ahead = now..<now + .days(1)
    return try Booking.open(of: practice.doctor.id, within: ahead, on: connection).filter {
      practice.local($0.span.lowerBound).date == practice.local(now).date
    }
  }

  /// What a doctor reads whom no clinic has entered yet.
  func notEntered(_ title: Text, _ context: Context) -> Page {
    Page(
      title,
      """
      <section class="empty">\(context.icon(.clock))<h2>\(context.text("queue.none"))</h2>\
      <p>\(context.text("queue.none.hint"))</p></section>
      """)
  }
}
