import PolyclinicCore

/// The table of the waiting patients and today's appointments on the doctor's page, in the order of
/// their times.
extension DoctorQueuePage {
  /// Returns the table; nil if nobody comes and the list is closed.
  var today: HTML? {
    let entries =
      waiting.map(Entry.waiting) + booked.filter { $0.id != called?.id }.map(Entry.booked)
    if entries.isEmpty {
      return isOpen ? "<p class=\"muted\">\(context.text("queue.empty"))</p>" : nil
    }
    let rows = entries.sorted { $0.time < $1.time }
    let arrived = booked.count { $0.status == .arrived && $0.id != called?.id }
    let coming = booked.count { $0.status == .booked }
    return """
      <div class="scroll"><table class="data stack">\
      <caption>\(context.text("line.waiting", count: waiting.count + arrived)), \
      \(context.text("queue.booked", count: coming))</caption><thead><tr>\
      <th scope="col">\(context.text("queue.time"))</th>\
      <th scope="col">\(context.text("queue.who"))</th>\
      <th scope="col">\(context.text("queue.how"))</th></tr></thead>\
      <tbody>\(each: rows, row)</tbody></table></div>
      """
  }

  private enum Entry {
    case waiting(WaitingListSchedule.Place)
    case booked(Booking)

    /// The expected time; in the far future if it is unknown.
    var time: Instant {
      switch self {
      case .waiting(let place): place.treatment?.lowerBound ?? Instant(.max)
      case .booked(let booked): booked.span.lowerBound
      }
    }
  }

  private func row(_ entry: Entry) -> HTML {
    let (who, how, person): (HTML, HTML, ID<Person>) =
      switch entry {
      case .waiting(let place): (name(place.ticket.person), arrival(place), place.ticket.person)
      case .booked(let booked): (link(booked), booking(booked), booked.patient)
      }
    let details: HTML? = patients[person]?.ageAndSex(context).map {
      "<br><span class=\"secondary-text\">\($0)</span>"
    }
    let time = entry.time == Instant(.max) ? "–" : placement.clock(entry.time, context)
    return """
      <tr><th scope="row">\(time)</th>\
      <td data-label="">\(who)\(details)</td>\
      <td data-label="">\(how)</td></tr>
      """
  }

  private func arrival(_ place: WaitingListSchedule.Place) -> HTML {
    let facts = [
      "number": context.formats.number(place.ticket.number),
      "time": placement.clock(place.ticket.joinedAt, context),
    ]
    return "\(context.text("queue.waiting-since", facts))"
  }

  private func booking(_ booked: Booking) -> HTML {
    let until = ["time": placement.clock(booked.span.upperBound, context)]
    let arrived: HTML? =
      booked.status == .arrived
      ? " \(AppointmentFacts.badge(booked, context))" : nil
    return "\(context.text("queue.booked-until", until))\(arrived)"
  }
}
