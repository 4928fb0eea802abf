import PolyclinicCharts
import PolyclinicCore

/// The samples of all components, grouped by their purpose.
struct ComponentSamples {
  let context: Context

  var html: HTML {
    """
    \(section("type", type))\(section("kinds", kinds))\(section("people", people))\(section("buttons", buttons))\
    \(section("badges", badges))\(section("notices", notices))\(section("lists", lists))\
    \(section("facts", facts))\(section("fields", fields))\
    \(section("chart", chart))\(section("empty", empty))\(section("scenes", scenes))
    """
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
      (.init("appointments", .calendarCheck), "14:30"), (.init("contacts", .people), "18"),
      (.init("weight", .scale), "76.8 \(text("unit.kg"))"),
      (.init("pressure", .heartPulse), "124/79"), (.init("covid", .chart), "8,198"),
      (.init("vaccination", .qr), "3"),
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

  private var chart: HTML {
    let start = context.now - .days(60)
    let points = (0..<20).map { number in
      let value = 78.4 - Double(number) * 0.1 + Double(number % 3) * 0.3
      return Chart.Point(at: start + .days(number * 3), value: value)
    }
    var chart = Chart(
      title: text("kind.weight"), summary: text("kind.caption"),
      lines: [Chart.Line(text("kind.weight"), points)],
      bands: [Chart.Band(76...77.5, text("chart.target"))],
      span: start..<context.now, gap: .days(14))
    chart.kind = Icon.Kind("weight", .scale)
    return "\(chart.html("sample", context))"
  }

  private var empty: HTML {
    context.emptyState(
      .people, "empty.title", hint: "empty.hint", ghosts: 2,
      actions: context.button("button.main", to: "/components"))
  }

  /// Each scene, by an icon to which it belongs.
  private var scenes: HTML {
    let icons: [Icon] = [.bell, .document, .pin, .heart, .key, .glass, .calendar, .people]
    return "<div class=\"cards\">\(each: icons, { context.emptyState($0) })</div>"
  }
}
