import PolyclinicCore

/// The public display in the waiting room: the called number and the next numbers, without names.
struct DisplayPage: RoutedPage {
  static let address: Address<ID<Doctor>> = "/appointments/doctors/{id}/display"
  static let access = Access.everyone

  private let placement: DoctorPlacement
  private let doctor: String
  private let waitingList: WaitingListSchedule
  /// The start of the first appointment whose patient has arrived and waits; nil if there is none.
  private let arrived: Instant?
  /// The start of the appointment whose patient was called; nil if there is none.
  private let calledBooking: Instant?
  private let context: Context

  /// The seconds between two automatic refreshes, short enough to show a call in time, also on a
  /// television without scripts. The page needs no pause button: WCAG 2.2.2 exempts content whose
  /// only purpose is to change, and the page has no form.
  private static let refresh = 15
  /// The maximum number of next numbers on the display.
  private static let shown = 5

  init(_ context: Context) throws {
    self.context = context
    placement = try DoctorPlacement.inPath(context)
    doctor = try placement.doctor.name.shown(context)
    waitingList = try WaitingList.schedule(at: placement, in: context)
    calledBooking = try Booking.called(of: placement.doctor.id, in: context)?.span.lowerBound
    arrived = try Booking.arrived(at: placement, in: context).first?.span.lowerBound
  }

  private var now: Instant { context.now }

  var page: Page {
    Page(
      "display.title",
      """
      <section class="display" id="call" data-call="\(calledNumber)"><header>\
      <h1><bdi>\(doctor)</bdi></h1><p class="secondary-text">\(placement.place(context))</p>\
      <p class="clock">\(placement.clock(now, context))</p></header>\
      \(isClosed ? closed : numbers)\(next)\
      \(actions: context.scriptButton(
        "line.sound", style: .secondary, attributes: " data-sound hidden"))</section>
      """,
      assets: [.screen, .display, .call], width: .screen, hasOwnHeading: true,
      refresh: Self.refresh)
  }

  private var called: WaitingListSchedule.Place? { waitingList.treated(at: now) }

  /// The called number, or the time of the appointment whose patient was called; empty if nobody
  /// was.
  private var calledNumber: String {
    called.map { context.formats.number($0.ticket.number) }
      ?? calledBooking.map { placement.clock($0, context) } ?? ""
  }

  /// True if nobody is called, waits or can join.
  private var isClosed: Bool {
    calledNumber.isEmpty && waitingList.waiting(at: now).isEmpty && !waitingList.canJoin(at: now)
  }

  private var closed: HTML {
    "<p class=\"announcement\">\(context.text("display.closed"))</p>"
  }

  private var numbers: HTML {
    called.map(call) ?? calledBooking.map(call) ?? nobody
  }

  /// Returns the call of a patient with an appointment, whom its time tells from others. No name is
  /// shown.
  private func call(_ booked: Instant) -> HTML {
    """
    <p class="call" role="status"><span>\(context.text("display.called"))</span> \
    <strong class="time">\(placement.clock(booked, context))</strong> \
    <span>\(context.text("display.booked"))</span></p>
    """
  }

  private func call(_ place: WaitingListSchedule.Place) -> HTML {
    """
    <p class="call" role="status"><span>\(context.text("display.called"))</span> \
    <strong>\(context.formats.number(place.ticket.number))</strong></p>
    """
  }

  private var nobody: HTML {
    let isFree = waitingList.isFree(at: now) && arrived == nil
    let text: Text = isFree ? "display.free" : "display.wait"
    return "<p class=\"announcement\" role=\"status\">\(context.text(text))</p>"
  }

  private var next: HTML? {
    let waiting = waitingList.waiting(at: now)
    var shown = waiting.prefix(Self.shown).map { place -> HTML in
      "<li>\(context.formats.number(place.ticket.number))</li>"
    }
    if let arrived {
      let before = min(waitingList.calls(before: arrived, at: now), shown.count)
      shown.insert("<li>\(context.text("display.booked"))</li>", at: before)
    }
    if shown.isEmpty { return nil }
    let rest = waiting.count - Self.shown
    let more: HTML? =
      rest > 0
      ? "<p class=\"secondary-text\">\(context.text("display.more", count: rest))</p>" : nil
    return """
      <h2>\(context.text("display.next"))</h2><ol class="next">\(shown)</ol>\(more)
      """
  }
}

extension Page.Asset {
  /// The style of the waiting room's display.
  static let display = Page.Asset("display.css", PackageResources.display_css)
}
