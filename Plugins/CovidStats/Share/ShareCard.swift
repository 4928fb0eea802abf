import Foundation
import PolyclinicCore

/// A picture of a country's figures as an SVG document of 1200 × 630 pixels.
struct ShareCard {
  let figures: CountryFigures
  let views: FigureViews

  private static let width = 1_200
  private static let height = 630
  private static let margin = 72
  /// The mean glyph width relative to the font size. Longer text is shrunk to fit.
  private static let glyphWidth = (regular: 0.6, bold: 0.68)

  private var context: Context { views.context }
  private var isRightToLeft: Bool { context.language == .hebrew }
  private var name: String { CountryNames.name(figures.country, in: context.language) }

  /// One sentence with the content of the card, as its alternative text.
  var summary: String {
    let count = figures.latest.cases.map { context.formats.number($0) }
    let said = context.text(
      "share.summary",
      [
        "country": name, "cases": count ?? context.text("figure.not-reported"),
        "period": views.period(figures.latest, figures.rhythm),
      ])
    let parts =
      [said] + known.map { "\(context.text($0.label)): \($0.count)." }
      + (views.state.isFictional ? [context.text("covid.fictional")] : [])
    return parts.joined(separator: " ")
  }

  /// The recovered and active cases, where the source reports them.
  private var known: [(label: Text, count: String)] {
    let counts: [(Text, Int?)] = [
      ("figure.recovered", figures.recovered), ("figure.active", figures.active),
    ]
    return counts.compactMap { label, count in
      guard let count, count != 0 || views.source?.confusesZero != true else { return nil }
      return (label, context.formats.number(count))
    }
  }

  var svg: HTML {
    """
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
    width="\(Self.width)" height="\(Self.height)" viewBox="0 0 \(Self.width) \(Self.height)" \
    xml:lang="\(context.language.code)" font-family="DejaVu Sans, sans-serif" \
    direction="\(context.language.direction)" role="img"><title>\(summary)</title>\
    <rect width="1200" height="630" fill="#f3f7f7"/>\
    <rect width="1200" height="16" fill="#0a6062"/>\
    \(heading)\
    \(panel(0, "figure.new-cases", figures.latest.cases, figures.cases))\
    \(panel(1, "figure.new-deaths", figures.latest.deaths, figures.deaths))\
    \(strip)\
    \(provenance)</svg>
    """
  }

  private var heading: HTML {
    """
    \(flag)\(text(name, from: 216, at: 148, size: 60, upTo: 912, bold: true))\
    \(text(context.text("covid.title"), from: 216, at: 196, size: 30, upTo: 912, fill: "#46595b"))
    """
  }

  private var flag: HTML? {
    guard let bytes = views.flagBytes(figures.country) else { return nil }
    let start = isRightToLeft ? Self.width - Self.margin - 120 : Self.margin
    return """
      <image x="\(start)" y="100" width="120" height="90" \
      xlink:href="data:image/png;base64,\(Data(bytes).base64EncodedString())"/>\
      <rect x="\(start)" y="100" width="120" height="90" fill="none" stroke="#c9d6d6"/>
      """
  }

  /// Returns a panel with a count of the latest report and the total. The first panel is at the
  /// start of the line.
  private func panel(
    _ number: Int, _ title: Text, _ latest: Int?, _ total: Int?
  ) -> HTML {
    let start = number == 0 ? Self.margin : 612
    let inset = start + 36
    // The strip takes room below the panels.
    let (top, height) = known.isEmpty ? (236, 270) : (220, 226)
    let lines = known.isEmpty ? [292, 372, 418, 470] : [266, 340, 380, 424]
    return """
      \(box(from: start, at: top, 516, height))\
      \(text(context.text(title), from: inset, at: lines[0], size: 30, upTo: 444, bold: true))\
      \(text(count(latest), from: inset, at: lines[1], size: 72, upTo: 444, bold: true, fill: "#0a6062"))\
      \(text(views.period(figures.latest, figures.rhythm), from: inset, at: lines[2], size: 26, upTo: 444,
      fill: "#46595b"))\
      \(text(context.text("share.total", ["count": count(total)]), from: inset, at: lines[3], size: 28, upTo: 444))
      """
  }

  /// The recovered and active cases below the panels; nil where neither is known.
  private var strip: HTML? {
    if known.isEmpty { return nil }
    return """
      \(box(from: Self.margin, at: 462, 1_056, 60))\(each: known.enumerated(), { number, fact in
        text(
          "\(context.text(fact.label)): \(fact.count)", from: number == 0 ? 108 : 648, at: 502, size: 28,
          upTo: 444)
      })
      """
  }

  /// Returns a frame that begins `start` pixels from the edge at which the language's lines begin.
  private func box(from start: Int, at top: Int, _ width: Int, _ height: Int) -> HTML {
    let left = isRightToLeft ? Self.width - start - width : start
    return """
      <rect x="\(left)" y="\(top)" width="\(width)" height="\(height)" rx="20" fill="#ffffff" stroke="#d7e2e2"/>
      """
  }

  private func count(_ count: Int?) -> String {
    count.map { context.formats.number($0) } ?? context.text("figure.not-reported")
  }

  /// The source and the date, or a banner for fictional figures.
  private var provenance: HTML {
    guard views.state.isFictional else {
      return text(
        views.sourceWords, from: Self.margin, at: 570, size: 28, upTo: 1_056, fill: "#46595b")
    }
    return """
      <rect y="536" width="1200" height="94" fill="#fdefd3"/>\
      \(text(context.text("share.fictional"), from: Self.margin, at: 596, size: 36, upTo: 1_056,
      bold: true, fill: "#7a4300"))
      """
  }

  /// Returns a line of text that begins `start` pixels from the edge at which the language's lines
  /// begin.
  private func text(
    _ words: String, from start: Int, at baseline: Int, size: Int, upTo room: Int,
    bold: Bool = false, fill: StaticString = "#12282a"
  ) -> HTML {
    let wanted = Double(words.count) * (bold ? Self.glyphWidth.bold : Self.glyphWidth.regular)
    let size = wanted > 0 ? min(size, max(12, Int(Double(room) / wanted))) : size
    let x = isRightToLeft ? Self.width - start : start
    let weight: StaticString = bold ? "700" : "400"
    return """
      <text x="\(x)" y="\(baseline)" font-size="\(size)" font-weight="\(weight)" fill="\(fill)">\
      \(words)</text>
      """
  }
}
