import PolyclinicCore

extension AppointmentsModule {
  /// How many days ahead the doctor's page looks for a free time.
  private static let lookahead = 60

  func listDoctors(_ context: Context) throws -> Response {
    let filter = DoctorFilter(context.request.query)
    return try context.database.read { connection in
      let person = context.visitor?.person
      return try .page(
        DoctorList(
          doctors: try ListedDoctor.all(
            filter, by: context.portal.keys, at: context.now, on: connection),
          clinics: try Clinic.open(on: connection),
          own: try person.map { try OwnPlace.all(of: $0, at: context.now, on: connection) } ?? [],
          left: try ID<Doctor>(context.request.query["left"]).flatMap {
            try Doctor.find($0, on: connection)
          },
          filter: filter, context: context
        ).page)
    }
  }

  func showDoctor(_ context: Context) throws -> Response {
    try context.database.read { connection in
      let (practice, line) = try line(context, on: connection)
      let own = context.visitor.flatMap { line.place(of: $0.person, at: context.now) }
      return try .page(
        DoctorPage(
          practice: practice, line: line,
          own: own.map { OwnPlace(practice: practice, line: line, place: $0, now: context.now) },
          looker: try looker(at: practice.doctor, context, on: connection),
          hours: WeeklyHours(try WorkingHours.find(of: practice.doctor.id, on: connection)),
          nextTime: try nextTime(of: practice, context, on: connection), context: context
        ).page)
    }
  }

  private func looker(
    at doctor: Doctor, _ context: Context, on connection: Connection
  ) throws -> DoctorPage.Looker {
    guard let visitor = context.visitor else { return .anybody }
    // Somebody who looks for a child or a charge joins for that person.
    guard try context.keys.person == visitor.person else { return .anybody }
    if doctor.person == visitor.person { return .doctor }
    let isAtDesk =
      try visitor.roles.contains(.receptionist)
      && Receptionist.works(visitor.person, for: doctor.id, on: connection)
    return isAtDesk ? .desk : .anybody
  }

  /// The first time that can be booked with the doctor in the days to come.
  private func nextTime(
    of practice: Practice, _ context: Context, on connection: Connection
  ) throws -> BookableTime? {
    guard practice.isOpen else { return nil }
    let today = practice.local(context.now).date
    return try Availability.find(
      of: practice, during: today...today.adding(days: Self.lookahead), at: context.now,
      settings: context.portal.settings, on: connection
    ).first
  }

  func showDisplay(_ context: Context) throws -> Response {
    try context.database.read { connection in
      let (practice, line) = try line(context, on: connection)
      return try .page(DisplayPage(practice: practice, line: line, context: context).page)
    }
  }

  private func line(
    _ context: Context, on connection: Connection
  ) throws -> (Practice, WaitingLine) {
    guard let practice = try Practice.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    return (
      practice, try WaitingList.line(of: practice.doctor.id, at: context.now, on: connection)
    )
  }

  func joinLine(_ context: Context, _ connection: Connection) throws -> Path {
    let person = try context.keys.person
    guard let doctor = try Doctor.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    guard doctor.person != person else { throw Refusal.conflict("line.join.own") }
    try WaitingList.join(doctor.id, person, at: context.now, on: connection)
    try WaitingList.tellNews(by: context.portal, on: connection)
    return "doctors"
  }

  func leaveLine(_ context: Context, _ connection: Connection) throws -> Path {
    let person = try context.keys.person
    guard let doctor = try Doctor.find(context.id(), on: connection) else {
      throw Refusal.notFound
    }
    try WaitingList.leave(doctor.id, person, at: context.now, on: connection)
    try WaitingList.tellNews(by: context.portal, on: connection)
    return Path("doctors").query(["left": doctor.id.description])
  }
}
