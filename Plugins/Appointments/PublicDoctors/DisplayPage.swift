import PolyclinicCore

/// The public display in the waiting room: the called number and the next numbers, without names.
struct DisplayPage {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  let context: Context

  /// The seconds between two automatic refreshes, short enough to show a call in time. The page needs no pause
  /// button: WCAG 2.2.2 exempts content whose only purpose is to change, and the page has no form.
  private static let refresh = 15
  /// The maximum number of next numbers on the display.
  private static let shown = 5

  private var now: Instant { context.now }

  var page: Page {
    get throws {
      let name = try placement.doctor.name.shown(context)
      return Page(
        "display.title",
        """
        <section class="display" id="call" data-call="\(calledNumber)"><header>\
        <h1><bdi>\(name)</bdi></h1><p class="secondary-text">\(placement.place(context))</p>\
        <p class="clock">\(placement.clock(now, context))</p></header>\
        \(waitingList.isOpen(at: now) || called != nil ? numbers : closed)\
        \(actions: context.scriptButton(
          "line.sound", style: .secondary, attributes: " data-sound hidden"))</section>
        """,
        scripts: ["display.css", "call.js"], width: .screen, hasOwnHeading: true,
        refresh: Self.refresh)
    }
  }

  private var called: WaitingListSchedule.Place? { waitingList.treated(at: now) }

  private var calledNumber: String {
    called.map { context.formats.number($0.ticket.number) } ?? ""
  }

  private var closed: HTML {
    "<p class=\"announcement\">\(context.text("display.closed"))</p>"
  }

  private var numbers: HTML {
    "\(called.map(call) ?? nobody)\(next)"
  }

  private func call(_ place: WaitingListSchedule.Place) -> HTML {
    """
    <p class="call" role="status"><span>\(context.text("display.called"))</span> \
    <strong>\(context.formats.number(place.ticket.number))</strong></p>
    """
  }

  private var nobody: HTML {
    let text: Text = waitingList.isFree(at: now) ? "display.free" : "display.wait"
    return "<p class=\"announcement\" role=\"status\">\(context.text(text))</p>"
  }

  private var next: HTML? {
    let waiting = waitingList.waiting(at: now)
    if waiting.isEmpty { return nil }
    let rest = waiting.count - Self.shown
    let more: HTML? =
      rest > 0
      ? "<p class=\"secondary-text\">\(context.text("display.more", count: rest))</p>" : nil
    return """
      <h2>\(context.text("display.next"))</h2><ol class="next">\(each: waiting.prefix(Self.shown), {
        "<li>\(context.formats.number($0.ticket.number))</li>"
      })</ol>\(more)
      """
  }
}
