import PolyclinicCore

/// A doctor's own desk: who is treated, who waits since when, and who is booked among them.
struct DeskPage {
  let practice: Practice
  let line: WaitingLine
  let booked: [Booking]
  /// Of those whom the doctor may open.
  let names: [ID<Person>: String]
  let context: Context

  /// How often it asks for itself, where the doctor has asked for that: the line grows meanwhile.
  private static let refresh = 30

  private var now: Instant { context.now }
  private var treated: WaitingLine.Place? { line.treated(at: now) }
  private var waiting: [WaitingLine.Place] { line.waiting(at: now) }
  private var isOpen: Bool { line.isOpen(at: context.now) }
  private var isAtWork: Bool { isOpen || treated != nil }

  var page: Page {
    get throws {
      Page(
        "queue.title",
        "\(try lead)\(isAtWork ? current : closed)\(today)\(isOpen ? closing : nil)",
        actions: isAtWork ? liveness : nil, refresh: isAtWork && isLive ? Self.refresh : nil)
    }
  }

  /// The doctor by name, with the way to the page that patients see, and the clinic.
  private var lead: HTML {
    get throws {
      let name = try practice.doctor.name.opened(by: context.portal.keys)
      return """
        <p class="lead"><a href="/appointments/doctors/\(practice.doctor.id)"><bdi>\(name)</bdi></a>\
         · \(practice.place(context))</p>
        """
    }
  }

  /// Not unless asked for: without scripts each time throws a keyboard or a screen reader back to the top
  /// (WCAG 2.2.1).
  private var isLive: Bool { context.request.query["live"] == "1" }

  private var liveness: HTML {
    let here: Path = "/appointments/queue"
    let path = isLive ? here : here.query(["live": "1"])
    return """
      <a class="button secondary" href="\(path)">\
      \(context.text(isLive ? "queue.live.stop" : "queue.live"))</a>
      """
  }

  private var closed: HTML {
    """
    <section class="panel"><h2>\(context.text("queue.closed"))</h2>\
    <p>\(context.text("queue.closed.hint"))</p><div class="actions">\(open)</div></section>
    """
  }

  private var open: HTML { context.button("queue.open", posts: "/appointments/queue/open") }

  private var current: HTML {
    """
    <section class="panel" role="status"><h2>\(context.text("queue.current"))</h2>\
    \(treated.map(treatment) ?? nobody)</section>
    """
  }

  private func treatment(_ place: WaitingLine.Place) -> HTML {
    let number = context.formats.number(place.ticket.number)
    let times = place.treatment.map { span in
      context.text(
        "queue.since-until",
        [
          "since": practice.clock(span.lowerBound, context),
          "until": practice.clock(span.upperBound, context),
        ])
    }
    let next: HTML? = callable.map { next in
      let number = context.formats.number(next.ticket.number)
      return button(
        context.text("queue.next", ["number": number]), "/appointments/queue/next", place, "button")
    }
    return """
      <p class="figure">\(number)</p><p>\(name(place.ticket.person))<br>\
      <span class="secondary-text">\(times ?? "")</span></p><div class="actions">\(next)\(button(
        context.text("queue.finish"), "/appointments/queue/finish", place,
        next == nil ? "button" : "button secondary"))\(isOpen ? nil : open)</div>
      """
  }

  /// Who waits first, unless a booked time stands in the way of being called now.
  private var callable: WaitingLine.Place? {
    guard let first = waiting.first, let span = first.treatment else { return nil }
    let needed = context.now..<context.now + (span.upperBound - span.lowerBound)
    return booked.contains { $0.span.overlaps(needed) } ? nil : first
  }

  /// A button that says whom the doctor sees treated: by the time it is pressed it may be the next.
  private func button(
    _ label: String, _ path: Path, _ place: WaitingLine.Place, _ style: StaticString
  ) -> HTML {
    """
    <form method="post" action="\(path)" class="inline">\(context.hiddenFields())\
    <input type="hidden" name="ticket" value="\(place.ticket.id)">\
    <input type="hidden" name="live" value="\(isLive ? "1" : "")">\
    <button class="\(style)">\(label)</button></form>
    """
  }

  private var nobody: HTML {
    let next = waiting.first?.treatment?.lowerBound
    let text =
      next.map { context.text("queue.next-at", ["time": practice.clock($0, context)]) }
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
    case waiting(WaitingLine.Place)
    case booked(Booking)

    /// When it is expected; far in the future where that is not known.
    var time: Instant {
      switch self {
      case .waiting(let place): place.treatment?.lowerBound ?? Instant(.max)
      case .booked(let booked): booked.span.lowerBound
      }
    }
  }

  private func row(_ entry: Entry) -> HTML {
    let (who, how): (HTML, HTML) =
      switch entry {
      case .waiting(let place): (name(place.ticket.person), arrival(place))
      case .booked(let booked): (link(booked), booking(booked))
      }
    let time = entry.time == Instant(.max) ? "–" : practice.clock(entry.time, context)
    return """
      <tr><th scope="row">\(time)</th>\
      <td data-label="">\(who)</td>\
      <td data-label="">\(how)</td></tr>
      """
  }

  private func arrival(_ place: WaitingLine.Place) -> HTML {
    let facts = [
      "number": context.formats.number(place.ticket.number),
      "time": practice.clock(place.ticket.joinedAt, context),
    ]
    return "\(context.text("queue.waiting-since", facts))"
  }

  private func booking(_ booked: Booking) -> HTML {
    let until = ["time": practice.clock(booked.span.upperBound, context)]
    let arrived: HTML? =
      booked.status == .arrived
      ? " <span class=\"badge ok\">\(context.text("queue.arrived"))</span>" : nil
    return "\(context.text("queue.booked-until", until))\(arrived)"
  }

  private func link(_ booked: Booking) -> HTML {
    "<a href=\"/appointments/\(booked.id)\">\(name(booked.patient))</a>"
  }

  private func name(_ person: ID<Person>) -> HTML {
    names[person].map { "<bdi>\($0)</bdi>" }
      ?? "<span class=\"muted\">\(context.text("queue.unnamed"))</span>"
  }

  /// A question on the page itself: those who wait lose their places.
  private var closing: HTML {
    let consequence =
      waiting.isEmpty
      ? context.text("queue.close.nobody") : context.text("queue.close.told", count: waiting.count)
    return """
      <details class="panel"><summary>\(context.text("queue.close"))</summary>\
      <p>\(consequence)</p>\(context.button(
        "queue.close.yes", posts: "/appointments/queue/close", style: "button danger"))</details>\
      <p><a href="/appointments/doctors/\(practice.doctor.id)/display">\
      \(context.text("line.display"))</a></p>
      """
  }
}
