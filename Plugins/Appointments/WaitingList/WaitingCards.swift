import PolyclinicCore

extension AppointmentsModule {
  /// The card of a doctor's own desk; nil for a doctor whom no clinic has entered yet.
  func deskCard(_ context: Context) throws -> HTML? {
    try context.database.read { connection in
      guard let doctor = try ownDoctor(context, on: connection),
        let practice = try Practice.find(doctor.id, on: connection)
      else { return nil }
      let line = try WaitingList.line(of: doctor.id, at: context.now, on: connection)
      return """
        \(state(of: line, practice, context))<a class="more" href="/appointments/queue">\
        \(context.text("queue.card.more"))</a>
        """
    }
  }

  private func state(
    of line: WaitingLine, _ practice: Practice, _ context: Context
  ) -> HTML {
    let treated: HTML? = line.treated(at: context.now).map { place in
      let facts = [
        "number": context.formats.number(place.ticket.number),
        "time": place.treatment.map { practice.clock($0.upperBound, context) } ?? "",
      ]
      return "<p>\(context.text("queue.card.current", facts))</p>"
    }
    guard line.isOpen(at: context.now) else {
      return "<p>\(context.text("queue.closed"))</p>\(treated)"
    }
    let waiting = line.waiting(at: context.now).count
    return "<p class=\"figure\">\(context.text("line.waiting", count: waiting))</p>\(treated)"
  }

  /// The card for those who stand in a line: place and time; nil for everybody else.
  func lineCard(_ context: Context) throws -> HTML? {
    let person = try context.keys.person
    let own = try context.database.read {
      try OwnPlace.all(of: person, at: context.now, on: $0)
    }
    if own.isEmpty { return nil }
    return "<ul>\(try own.map { try card($0, context) })</ul>"
  }

  private func card(_ own: OwnPlace, _ context: Context) throws -> HTML {
    let sentences = try own.sentences(context)
    return """
      <li><a href="/appointments/doctors/\(own.practice.doctor.id)">\(sentences[0])</a>\
      <span class="secondary-text">\(sentences.dropFirst().joined(separator: " "))</span></li>
      """
  }
}
