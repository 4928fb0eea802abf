import PolyclinicCore

/// The page of a doctor's own waiting list: the current patient, the waiting patients and today's appointments.
struct DoctorQueuePage {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  let booked: [Booking]
  /// The patients whose data the doctor may open.
  let patients: [ID<Person>: ListedPatient]
  /// The details of the patient who is treated; nil if none is.
  let details: PatientDetails?
  let context: Context

  /// The seconds between two automatic refreshes, which the doctor can turn on because patients keep joining.
  private static let refresh = 30

  private var now: Instant { context.now }
  private var treated: WaitingListSchedule.Place? { waitingList.treated(at: now) }
  private var waiting: [WaitingListSchedule.Place] { waitingList.waiting(at: now) }
  private var isOpen: Bool { waitingList.isOpen(at: context.now) }
  private var isAtWork: Bool { isOpen || treated != nil }

  var page: Page {
    get throws {
      Page(
        "queue.title",
        "\(try lead)\(isAtWork ? current : closed)\(today)\(isOpen ? closing : nil)",
        actions: isAtWork ? liveness : nil, refresh: isAtWork && isLive ? Self.refresh : nil)
    }
  }

  /// The doctor's name, linked to the public page, and the clinic.
  private var lead: HTML {
    get throws {
      let name = try placement.doctor.name.shown(context)
      return """
        <p class="lead"><a href="/appointments/doctors/\(placement.doctor.id)"><bdi>\(name)</bdi></a>\
         · \(placement.place(context))</p>
        """
    }
  }

  /// True if the doctor has turned on automatic refresh, here or on an earlier visit with this browser. It is off by
  /// default: without scripts, each refresh moves the focus of a keyboard or screen reader back to the top (WCAG 2.2.1).
  private var isLive: Bool { DoctorQueuePages.isLive(context) }

  private var liveness: HTML {
    let path = Path("/appointments/queue").query(["live": isLive ? "0" : "1"])
    return context.button(isLive ? "queue.live.stop" : "queue.live", to: path, style: .secondary)
  }

  private var closed: HTML {
    """
    <section class="panel"><h2>\(context.text("queue.closed"))</h2>\
    <p>\(context.text("queue.closed.hint"))</p>\(actions: open)</section>
    """
  }

  private var open: HTML { context.button("queue.open", posts: "/appointments/queue/open") }

  private var current: HTML {
    """
    <section class="panel" role="status"><h2>\(context.text("queue.current"))</h2>\
    \(treated.map(treatment) ?? nobody)</section>
    """
  }

  private func treatment(_ place: WaitingListSchedule.Place) -> HTML {
    let number = context.formats.number(place.ticket.number)
    let times = place.treatment.map { span in
      context.text(
        "queue.since-until",
        [
          "since": placement.clock(span.lowerBound, context),
          "until": placement.clock(span.upperBound, context),
        ])
    }
    let next: HTML? = callable.map { next in
      let number = context.formats.number(next.ticket.number)
      return button(Text("queue.next", ["number": number]), "/appointments/queue/next", place)
    }
    return """
      <p class="figure">\(number)</p><p>\(name(place.ticket.person))<br>\
      <span class="secondary-text">\(times ?? "")</span></p>\(facts)\
      \(actions:
        next,
        button("queue.finish", "/appointments/queue/finish", place, next == nil ? [] : .secondary),
        isOpen ? nil : open)
      """
  }

  private var facts: HTML? {
    details.map { details in
      context.facts(
        details.facts(for: .care, context).map { HTML.Fact($0.label, keepingLines: $0.value) })
    }
  }

  /// The first waiting patient; nil if an appointment prevents a call now.
  private var callable: WaitingListSchedule.Place? {
    guard let first = waiting.first, let span = first.treatment else { return nil }
    let needed = context.now..<context.now + (span.upperBound - span.lowerBound)
    return booked.contains { $0.span.overlaps(needed) } ? nil : first
  }

  /// Returns a button that submits the ticket of the patient shown, because the next patient may be treated by the
  /// time of the click.
  private func button(
    _ label: Text, _ path: Path, _ place: WaitingListSchedule.Place, _ style: HTML.ButtonStyle = []
  ) -> HTML {
    context.button(
      label, posts: path,
      with: ["ticket": place.ticket.id.description, "live": isLive ? "1" : ""], style: style)
  }

  private var nobody: HTML {
    let next = waiting.first?.treatment?.lowerBound
    let text =
      next.map { context.text("queue.next-at", ["time": placement.clock($0, context)]) }
      ?? context.text("queue.nobody")
    return "<p>\(text)</p>"
  }

  private var today: HTML? {
    let entries =
      waiting.map(Entry.waiting) + (isOpen || !booked.isEmpty ? booked.map(Entry.booked) : [])
    if entries.isEmpty {
      return isOpen ? "<p class=\"muted\">\(context.text("queue.empty"))</p>" : nil
    }
    let rows = entries.sorted { $0.time < $1.time }
    return """
      <div class="scroll"><table class="data stack">\
      <caption>\(context.text("line.waiting", count: waiting.count)), \
      \(context.text("queue.booked", count: booked.count))</caption><thead><tr>\
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
      ? " \(context.badge("queue.arrived", .good))" : nil
    return "\(context.text("queue.booked-until", until))\(arrived)"
  }

  private func link(_ booked: Booking) -> HTML {
    "<a href=\"/appointments/\(booked.id)\">\(name(booked.patient))</a>"
  }

  private func name(_ person: ID<Person>) -> HTML {
    patients[person].map { "<bdi>\($0.name)</bdi>" }
      ?? "<span class=\"muted\">\(context.text("queue.unnamed"))</span>"
  }

  /// The confirmation of closing, on the page itself, because waiting patients lose their places.
  private var closing: HTML {
    let consequence =
      waiting.isEmpty
      ? context.text("queue.close.nobody") : context.text("queue.close.told", count: waiting.count)
    return """
      <details class="panel"><summary>\(context.text("queue.close"))</summary>\
      <p>\(consequence)</p>\(context.button(
        "queue.close.yes", posts: "/appointments/queue/close", style: .danger))</details>\
      <p><a href="/appointments/doctors/\(placement.doctor.id)/display">\
      \(context.text("line.display"))</a></p>
      """
  }
}
