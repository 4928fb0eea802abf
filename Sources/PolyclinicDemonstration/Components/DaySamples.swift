import PolyclinicCore

/// The samples of a patient's days: what is next, a turn, days and a week. Modules write this
/// markup, and their style sheets for every page have the rules of the tiles.
struct DaySamples {
  let context: Context

  private static let appointments = Icon.Kind("appointments", .calendarCheck)
  private static let pressure = Icon.Kind("pressure", .heartPulse)
  private static let vaccination = Icon.Kind("vaccination", .syringe)

  private func text(_ key: Text) -> String { context.text(key) }

  /// The rows of the home page about what is due. The next appointment has the largest one.
  var next: HTML {
    let appointment = HTML.row(
      content: """
        <span class="with-date first\(Self.appointments.style)">\(tile(1, " dated"))\
        <span><strong><a href="/components">\(text("next.appointment"))</a></strong>\
        <span class="secondary-text">\(text("list.name"))</span></span></span>
        """,
      actions: context.button("button.secondary", to: "/components", style: [.secondary, .small]))
    let reading = HTML.row(
      to: "/components", "\(text("kind.pressure"))", detail: "\(text("next.reading"))",
      lead: context.icon(.heartPulse), kind: Self.pressure)
    let vaccination = HTML.row(
      to: "/components", "\(text("next.vaccination"))",
      mark: context.badge("next.overdue", .danger), detail: "\(text("next.vaccination.about"))",
      lead: context.icon(.syringe), kind: Self.vaccination)
    return "<div class=\"start\">\(rows: [appointment, reading, vaccination])</div>"
  }

  /// The card of a patient who is called.
  var turn: HTML {
    let sentence = context.text("turn.doctor", ["doctor": text("list.name")])
    return """
      <section class="turn"><p class="figure">\(text("turn.go"))</p>\
      <p><strong>\(text("turn.now")).</strong> \(sentence)</p>\
      \(actions: context.button("turn.decline", to: "/components", style: .secondary))</section>
      """
  }

  /// The tiles of three days, the last with its month, and the links to the days around today.
  var days: HTML {
    let styles: [StaticString] = ["", "", " dated"]
    let rows: [HTML] = styles.enumerated().map { ahead, style in
      let date = context.today.adding(days: ahead)
      return HTML.row(
        content: """
          <span class="with-date\(Self.appointments.style)">\(tile(ahead, style))\
          <span>\(context.formats.date(date))</span></span>
          """)
    }
    return "\(steps)\(rows: rows)"
  }

  /// Returns the tile of the day in so many days. The style ` dated` has the month as well.
  private func tile(_ ahead: Int, _ style: StaticString) -> HTML {
    let date = context.today.adding(days: ahead)
    let isDated = style.utf8CodeUnitCount > 0
    let day: HTML = isDated ? "<b>\(context.formats.shortMonthDay(date))</b>" : "\(date.day)"
    // One for each weekday from Monday on; the first day of 1970 was a Thursday.
    let weekday = text("week.letters").split(separator: " ").dropFirst((date.daysSince1970 + 3) % 7)
    return """
      <span class="day-tile\(style)\(attribute: " now", if: ahead == 0)" aria-hidden="true">\
      <small>\(weekday.first ?? "")</small>\(day)</span>
      """
  }

  private var steps: HTML {
    """
    <nav class="days" aria-label="\(text("section.days"))">\(step("days.previous", "prev"))\
    <strong>\(context.formats.date(context.today))</strong>\(step("days.next", "next"))\
    <details class="fold"><summary>\(text("days.other"))</summary>\
    <form class="search" method="get" action="/components"><div class="filters">\
    <div class="field short"><label for="date">\(text("days.day"))</label>\
    <input type="date" id="date" name="date"></div>\
    \(context.submit("fold.show", style: .secondary))</div></form></details></nav>
    """
  }

  private func step(_ word: Text, _ rel: StaticString) -> HTML {
    context.button(
      showing: "<span class=\"hidden-text\">\(text(word))</span>", to: "/components",
      style: .secondary, rel: rel)
  }

  /// The mornings and evenings of a week: measured, half measured, today, and still to come.
  var week: HTML {
    let letters = text("week.letters").split(separator: " ")
    let mornings: [StaticString] = ["filled", "filled", "half", "filled", "half now", "", ""]
    let evenings: [StaticString] = ["filled", "filled", "filled", "", " now", "", ""]
    return """
      <div class="tiles\(Self.pressure.style)" aria-hidden="true"><span></span>\
      \(each: letters, { "<b>\($0)</b>" })<span>\(text("week.morning"))</span>\
      \(each: mornings, part)<span>\(text("week.evening"))</span>\(each: evenings, part)</div>\
      <p>\(text("week.measured"))</p>
      """
  }

  private func part(_ state: StaticString) -> HTML { "<i class=\"\(state)\"></i>" }
}
