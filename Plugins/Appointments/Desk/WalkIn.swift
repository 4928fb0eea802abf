import PolyclinicCore

/// The reception's form that adds a patient without an appointment, whom a search has found, to a
/// doctor's waiting list.
struct WalkIn: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/desk/queue/{id}/join"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.line.add"
  static let submit = title
  static let cancel = ReceptionDay.path
  static var route: Route {
    Route(Self.self).keeping("patient_id").marking(cancel).leadingBack(to: cancel)
  }

  private let list: WalkInList

  init(_ context: Context) throws {
    list = try WalkInList(of: Self.address.value(in: context), context)
  }

  /// The patient and the expected time. They are read in a write transaction, because showing the
  /// patient's name adds an entry to their access log.
  var about: HTML? {
    get throws {
      let context = list.context
      let found = try context.write { try Self.patient($0) }
      return """
        \(try list.heading)<p class="lead"><strong><bdi>\(found.name)</bdi></strong> \
        <span class="secondary-text">\(found.detail(context))</span> \
        <a class="change" href="\(WalkInList.search(for: list.placement.doctor.id))">\
        \(context.text("reception.search.another"))</a></p>\(list.expectation)\
        <input type="hidden" name="\(SealedSearchValue.field)" \
        value="\(context.choices[SealedSearchValue.field])">
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    Redirect(to: try list.add(Self.patient(context).person))
  }

  private static func patient(_ context: Context) throws -> Portal.FoundPerson {
    guard let person = try SealedSearchValue.chosenPatient(in: context),
      let found = try context.portal.people.found(person, for: .reception, in: context)
    else { throw Refusal.notFound }
    return found
  }
}

/// The reception's form that adds a new patient to a doctor's waiting list.
struct NewWalkIn: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/desk/queue/{id}/new"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.line.new"
  static let submit: Text = "reception.line.add"
  static let cancel = ReceptionDay.path
  static let form = PatientCorrection.form
  static let preparesOnce = true
  static var route: Route { Route(Self.self).marking(cancel) }

  private let list: WalkInList

  init(_ context: Context) throws {
    list = try WalkInList(of: Self.address.value(in: context), context)
  }

  var about: HTML? {
    get throws {
      let kept = Fields(["list": list.placement.doctor.id.description])
      return """
        \(try KnownPatients(context: list.context).notice(keeping: kept))\(try list.heading)\
        \(list.expectation)
        """
    }
  }

  func prepare(_ newcomer: inout Portal.Newcomer, in context: Context) throws {
    try KnownPatients(context: context).check(newcomer)
  }

  func save(_ newcomer: Portal.Newcomer, in context: Context) throws -> Redirect {
    let work = try context.portal.people.enter(newcomer, for: .reception, in: context)
    return Redirect(to: try list.add(work.keys.person))
  }
}

/// An open waiting list at the visitor's reception, to which patients without an appointment are
/// added.
struct WalkInList {
  let placement: DoctorPlacement
  private let schedule: WaitingListSchedule
  /// The end of the doctor's hours today; nil if it does not bound the list.
  private let hoursEnd: Instant?
  let context: Context

  private var doctor: Doctor { placement.doctor }

  /// Returns the address of the search for a patient who is added to the list of a doctor.
  static func search(for doctor: ID<Doctor>) -> Path {
    ReceptionBooking.path.query(["list": doctor.description])
  }

  /// Returns the list in the query of the search; nil if it has none.
  static func find(in query: Fields, _ context: Context) throws -> WalkInList? {
    if query["list"].isEmpty { return nil }
    guard let doctor = ID<Doctor>(query["list"]) else { throw Refusal.notFound }
    return try WalkInList(of: doctor, context)
  }

  /// Loads the list of a doctor. Throws ``Refusal/notFound`` for a doctor of another reception, and
  /// ``Refusal/conflict(_:)`` if the list is closed.
  init(of id: ID<Doctor>, _ context: Context) throws {
    guard try Booking.Staff.receptionist(context).canBook(with: id, in: context),
      let placement = try DoctorPlacement.find(id, in: context)
    else { throw Refusal.notFound }
    schedule = try WaitingList.schedule(of: id, in: context)
    guard schedule.isOpen(at: context.now) else { throw Refusal.conflict("reception.line.closed") }
    (self.placement, self.context) = (placement, context)
    hoursEnd = try JoiningHours.find(at: placement, in: context)?.span?.upperBound
  }

  /// The line with the doctor, for the top of each step.
  var heading: HTML {
    get throws {
      let name = try doctor.name.shown(context)
      return "<p class=\"lead\">\(context.text("line.title")) · <bdi>\(name)</bdi></p>"
    }
  }

  /// The expected time of a patient who is added now, with a warning if it is after the doctor's
  /// hours.
  var expectation: HTML {
    guard let call = schedule.call(joiningAt: context.now) else {
      return "<p>\(context.text("reception.line.unknown"))</p>"
    }
    let time = ["time": placement.clock(call, context)]
    let text = Text(call == context.now ? "reception.line.free" : "reception.line.later", time)
    let late: HTML? = hoursEnd.flatMap { end in
      if call < end { return nil }
      let time = ["time": placement.clock(end, context)]
      return context.notice(.remark, Text("reception.line.late", time), as: .warning)
    }
    return "<p>\(context.text(text))</p>\(late)"
  }

  /// Adds a patient, whose access log tells of it, and returns the day of the reception at the
  /// patient's place. Throws ``Refusal/conflict(_:)`` for the doctor, and for a patient who is on
  /// the list already.
  func add(_ person: ID<Person>) throws -> Path {
    guard doctor.person != person else { throw Refusal.conflict("reception.line.doctor") }
    guard schedule.place(of: person, at: context.now) == nil else {
      throw Refusal.conflict("reception.line.already")
    }
    try WaitingList.join(doctor.id, person, in: context)
    // The place gives the reception access to the patient's data, so it is stored first.
    try context.recordChange("log.line.joined", of: [person], for: .reception)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    let place = try WaitingList.schedule(of: doctor.id, in: context)
      .place(of: person, at: context.now)
    let ticket = place?.ticket.id.description ?? ""
    return "\(ReceptionDay.path.query(["listed": ticket]))#changed"
  }
}
