import PolyclinicCore

/// What hangs in the waiting room: who is called, by number, and who is next. Public, without names.
struct DisplayPage {
  let practice: Practice
  let line: WaitingLine
  let context: Context

  /// The seconds between two requests for it: a call is seen while it is still news. It has no button to pause,
  /// because its only purpose is to change, which WCAG 2.2.2 excepts, and nothing can be filled in here.
  private static let refresh = 15
  /// How many of the next numbers it has room for.
  private static let shown = 5

  private var now: Instant { context.now }

  var page: Page {
    get throws {
      let name = try practice.doctor.name.opened(by: context.portal.keys)
      return Page(
        "display.title",
        """
        <section class="display"><h1><bdi>\(name)</bdi></h1>\
        <p class="secondary-text">\(practice.place(context))</p>\
        \(line.isOpen(at: now) || called != nil ? numbers : closed)\
        <p class="secondary-text">\(context.text(
          "display.time", ["time": practice.clock(now, context)]))</p></section>
        """,
        width: .wide, hasOwnHeading: true, refresh: Self.refresh)
    }
  }

  private var called: WaitingLine.Place? { line.treated(at: now) }

  private var closed: HTML {
    "<p class=\"announcement\">\(context.text("display.closed"))</p>"
  }

  private var numbers: HTML {
    "\(called.map(call) ?? nobody)\(next)"
  }

  private func call(_ place: WaitingLine.Place) -> HTML {
    """
    <p class="call" role="status"><span>\(context.text("display.called"))</span> \
    <strong>\(context.formats.number(place.ticket.number))</strong></p>
    """
  }

  private var nobody: HTML {
    let text: Text = line.isFree(at: now) ? "display.free" : "display.wait"
    return "<p class=\"announcement\" role=\"status\">\(context.text(text))</p>"
  }

  private var next: HTML? {
    let waiting = line.waiting(at: now)
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
