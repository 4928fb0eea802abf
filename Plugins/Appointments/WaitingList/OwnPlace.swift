import PolyclinicCore

/// Where a person stands in a doctor's line at a moment.
struct OwnPlace: Sendable {
  let practice: Practice
  let line: WaitingLine
  let place: WaitingLine.Place
  let now: Instant

  /// All places of a person who waits or is treated, the one that was taken first before the others.
  static func all(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> [OwnPlace] {
    try Ticket.doctors(of: person, on: connection).compactMap { doctor in
      let line = try WaitingList.line(of: doctor, at: now, on: connection)
      guard let place = line.place(of: person, at: now),
        let practice = try Practice.find(doctor, on: connection)
      else { return nil }
      return OwnPlace(practice: practice, line: line, place: place, now: now)
    }
  }

  /// Whether it is the person's turn.
  var isCalled: Bool { place.isTreated(at: now) }

  /// Number, people ahead and expected time, or that it is the person's turn: a sentence each.
  func sentences(_ context: Context) throws -> [String] {
    let doctor = try practice.doctor.name.opened(by: context.portal.keys)
    let arguments = [
      "number": context.formats.number(place.ticket.number), "doctor": doctor,
    ]
    if isCalled { return [context.text("line.mine.called", arguments)] }
    let ahead = line.ahead(of: place, at: now)
    return [
      context.text("line.mine.waiting", arguments),
      ahead == 0 ? context.text("line.mine.next") : context.text("line.mine.ahead", count: ahead),
      place.treatment.map {
        context.text("line.mine.time", ["time": practice.clock($0.lowerBound, context)])
      } ?? context.text("line.mine.time.unknown"),
    ]
  }

  /// What it says, as a message at the head of a page.
  func notice(_ context: Context, actions: HTML? = nil) throws -> HTML {
    let style: StaticString = isCalled ? "notice success" : "notice"
    let text = try sentences(context).joined(separator: " ")
    return """
      <div class="\(style)" role="status"><p>\(text)</p>\(actions)</div>
      """
  }
}

extension Practice {
  /// A time on the clinic's clocks, with its day where that is not today.
  func clock(_ instant: Instant, _ context: Context) -> String {
    let formats = Formats(language: context.language, timeZone: clinic.zone)
    let isToday = formats.day(of: instant) == formats.day(of: context.now)
    return isToday ? formats.time(instant) : formats.dateTime(instant)
  }

  /// A day and a time on the clinic's clocks.
  func dateTime(_ instant: Instant, _ context: Context) -> String {
    Formats(language: context.language, timeZone: clinic.zone).dateTime(instant)
  }

  /// Specialization and clinic, on one line.
  func place(_ context: Context) -> HTML {
    """
    \(context.text(department.specialization.title)) · \
    <bdi>\(clinic.name.string(in: context.language))</bdi>
    """
  }
}
