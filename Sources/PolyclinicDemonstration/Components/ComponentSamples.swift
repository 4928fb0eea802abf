import PolyclinicCharts
import PolyclinicCore
import PolyclinicPlaces

/// The samples of all components, grouped by their purpose.
struct ComponentSamples {
  let context: Context

  var html: HTML {
    let tokens = TokenSamples(context: context)
    let days = DaySamples(context: context)
    let sections: [(name: String, content: HTML)] = [
      ("type", "\(type)\(tokens.sizes)"), ("space", tokens.spaces), ("colours", tokens.colours),
      ("icons", tokens.icons), ("kinds", kinds), ("people", people), ("buttons", buttons),
      ("badges", badges), ("notices", notices), ("emergency", emergency), ("turn", days.turn),
      ("next", days.next), ("days", days.days), ("week", days.week), ("lists", lists),
      ("facts", facts), ("table", table), ("fields", fields), ("folds", folds), ("chart", chart),
      ("sparkline", sparkline), ("empty", empty), ("scenes", scenes),
    ]
    return "\(each: sections, { section($0.name, $0.content) })"
  }

  private func section(_ name: String, _ content: HTML) -> HTML {
    "<h2 id=\"\(name)\">\(context.text(Text("section.\(name)")))</h2>\(content)"
  }

  private func text(_ key: Text) -> String { context.text(key) }

  private var type: HTML {
    """
    <p class="lead">\(text("type.lead"))</p><p>\(text("type.text"))</p>\
    <p class="secondary-text">\(text("type.quiet"))</p>
    """
  }

  /// One card for each kind of data.
  private var kinds: HTML {
    let samples: [(Icon.Kind, HTML)] = [
      (.init("appointments", .calendarCheck), "14:30"), (.init("contacts", .addressBook), "18"),
      (.init("weight", .scale), "76.8 \(text("unit.kg"))"),
      (.init("pressure", .heartPulse), "124/79"), (.init("covid", .chart), "8,198"),
      (.init("vaccination", .syringe), "3"),
    ]
    let cards: [HTML] = samples.map { kind, figure in
      let name = text(Text("kind.\(kind.name)"))
      return """
        <section class="card\(kind.style)"><h2>\(context.icon(kind.icon))\(name)</h2>\
        <p class="figure">\(figure)</p><p class="secondary-text">\(text("kind.caption"))</p>\
        <p>\(context.badge(Text("kind.\(kind.name)")))</p>\
        \(context.moreLink("kind.more", to: "/components"))</section>
        """
    }
    return "<div class=\"cards\">\(cards)</div>"
  }

  /// One person for each hue.
  private var people: HTML {
    let names = [
      "Anna Petrova", "Nina Wood", "Noah Birch", "Maria Zimina",
      "Emma Ashdown", "Vera Dale", "Yossi Arava", "Lena Brook",
    ]
    let rows: [HTML] = names.map {
      HTML.row(
        content: """
          <div class="with-initial">\(HTML.avatar(of: $0))<strong>\($0)</strong></div>
          """)
    }
    return "\(rows: rows)"
  }

  private var buttons: HTML {
    """
    \(actions:
      context.button("button.main", to: "/components"),
      context.button("button.icon", to: "/components", style: .secondary, icon: .pin),
      context.button("button.secondary", to: "/components", style: .secondary),
      context.button("button.plain", to: "/components", style: .plain),
      context.button("button.danger", to: "/components", style: [.danger, .secondary]),
      context.button("button.danger", to: "/components", style: .danger))\
    \(actions:
      context.button("button.small", to: "/components", style: [.secondary, .small]),
      context.button("button.plain", to: "/components", style: [.plain, .small]),
      context.button("button.danger", to: "/components", style: [.plain, .danger, .small]))
    <p id="copied" class="secret">webcal://polyclinic.example/a1b2c3</p>\
    \(actions: context.copyButton("button.copy", of: "copied", copied: "button.copied"))
    """
  }

  private var badges: HTML {
    """
    <p>\(context.badge("badge.neutral")) \(context.badge("badge.good", .good)) \
    \(context.badge("badge.waiting", .waiting)) \(context.badge("badge.now", .now)) \
    \(context.badge("badge.off", .off)) \
    \(context.badge("badge.danger", .danger))</p>
    """
  }

  private var notices: HTML {
    """
    \(context.notice(.outcome, "notice.saved"))\
    \(context.notice(
      .problem, "notice.taken",
      action: context.button("notice.other", to: "/components", style: [.secondary, .small])))\
    \(context.notice(.remark, "notice.remark"))\
    \(HTML.advice(heading: "\(text("notice.advice"))", "<p>\(text("notice.call"))</p>", as: .danger))
    """
  }

  /// The ambulance's number as a strip, as a quiet line and as buttons; empty without a country.
  private var emergency: HTML {
    "\(context.emergencyStrip)\(context.emergencyLine)\(context.emergencyNotice)"
  }

  private var lists: HTML {
    """
    \(context.tabs(
      "section.lists", ["list.coming", "list.past"], current: "list.coming", title: { Text($0) },
      to: { _ in "/components" }))\
    \(rows: [
      HTML.row(
        to: "/components", "\(text("list.name"))", mark: context.badge("badge.good", .good),
        detail: "\(context.formats.dateTime(context.now))", lead: context.icon(.calendarCheck)),
      HTML.row(to: "/components", "\(text("list.other"))", detail: "+375 17 200 00 01", lead: "A"),
      HTML.row(
        "\(text("list.other"))", detail: "\(text("type.quiet"))",
        actions: context.button("button.small", to: "/components", style: [.secondary, .small])),
    ])\
    \(context.pageLinks(Page.Pagination(page: 2, total: 150)) { _ in "/components" })
    """
  }

  private var facts: HTML {
    context.facts([
      HTML.Fact("fact.when", "\(context.formats.dateTime(context.now))"),
      HTML.Fact("fact.doctor", text: text("list.name")),
      HTML.Fact("fact.address", lines: text("fact.address.text")),
    ])
  }

  /// The latest of the sample's values.
  private var table: HTML {
    let rows: [HTML] = points.suffix(3).reversed().map { point in
      """
      <tr><th scope="row">\(context.formats.dateTime(point.at))</th>\
      <td class="number" data-label="\(text("kind.weight"))">\(amount(point.value))</td></tr>
      """
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(text("kind.weight"))">\
      <table class="data stack"><caption>\(text("kind.weight"))</caption><thead><tr>\
      <th scope="col">\(text("fact.when"))</th>\
      <th scope="col" class="number">\(text("kind.weight"))</th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>
      """
  }

  private func amount(_ value: Double) -> String {
    context.formats.number(value, fractionDigits: 1)
  }

  /// Details that are folded up, and the filters of a search behind one button.
  private var folds: HTML {
    let filters: HTML = """
      <details class="folded"><summary>\(text("fold.filters"))</summary><div class="filters">\
      \(context.checkBox("badge.neutral", name: "children", isChecked: false))\
      \(context.submit("fold.show"))</div></details>
      """
    return """
      <details class="fold"><summary>\(text("section.facts"))</summary>\(facts)</details>\
      \(context.searchForm(
        at: "/components", "fold.search", submit: "fold.find", filters: filters))
      """
  }

  private var fields: HTML {
    """
    <form class="form" method="get" action="/components">\
    \(context.field("field.value", id: "value", "<input id=\"value\" name=\"value\">"))\
    \(context.field(
      "field.kind", id: "kind",
      "<select id=\"kind\" name=\"kind\"><option>\(text("kind.first"))</option></select>"))\
    \(context.field("field.birthday", id: "day", "<input type=\"date\" id=\"day\" name=\"day\">"))\
    \(context.field("field.file", id: "file", "<input type=\"file\" id=\"file\">"))\
    \(context.checkBox("field.agreed", name: "agreed", isChecked: true, hint: "field.agreed.hint"))\
    \(context.checkBox("kind.second", name: "second", isChecked: false))\
    \(actions: context.submit("form.save"))</form>
    """
  }

  /// The beginning of the sample's values.
  private var start: Instant { context.now - .days(60) }

  /// The values of the charts and of the table.
  private var points: [Chart.Point] {
    (0..<20).map { number in
      let value = 78.4 - Double(number) * 0.1 + Double(number % 3) * 0.3
      return Chart.Point(at: start + .days(number * 3), value: value)
    }
  }

  private var chart: HTML {
    var chart = Chart(
      title: text("kind.weight"), summary: text("kind.caption"),
      lines: [Chart.Line(text("kind.weight"), points)],
      bands: [Chart.Band(76...77.5, text("chart.target"))],
      span: start..<context.now, gap: .days(14))
    chart.kind = Icon.Kind("weight", .scale)
    return "\(chart.html("sample", context))"
  }

  /// A small chart in a card, between its lowest and its highest value.
  private var sparkline: HTML {
    let values = points.map(\.value)
    let limits = [values.min(), values.max()].compactMap(\.self)
    let course = Chart.sparkline(
      [points], over: start..<context.now, label: text("kind.weight"),
      caption: text("kind.caption"), limits: limits.map { ($0, amount($0)) })
    let kind = Icon.Kind("weight", .scale)
    return """
      <div class="cards"><section class="card\(kind.style)">\
      <h2>\(context.icon(kind.icon))\(text("kind.weight"))</h2>\(course)</section></div>
      """
  }

  /// An empty list above pale rows, and an empty chart above a pale line.
  private var empty: HTML {
    """
    \(context.emptyState(
      .addressBook, "empty.title", hint: "empty.hint", ghosts: 2,
      actions: context.button("button.main", to: "/components")))\
    \(context.emptyState(.scale, "empty.chart", ghosts: .chart))
    """
  }

  /// Each scene, by an icon to which it belongs.
  private var scenes: HTML {
    let icons: [Icon] = [.bell, .document, .pin, .heart, .key, .glass, .calendar, .people]
    return "<div class=\"cards\">\(each: icons, { context.emptyState($0) })</div>"
  }
}
