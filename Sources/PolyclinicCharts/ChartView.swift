import PolyclinicCore

extension Chart {
  /// Returns the figure with the drawing and its legend; nil if there are no values. `id` is unique
  /// among the charts of the page.
  public func html(_ id: StaticString, _ context: Context) -> HTML? {
    guard let values else { return nil }
    let ticks = NumberTicks(covering: values, about: 5)
    guard let low = ticks.values.first, let high = ticks.values.last, low < high else { return nil }
    let drawing = ChartDrawing(chart: self, low: low, high: high)
    let bands = bands.compactMap { $0.within(low, high) }
    let times = TimeTicks(covering: span, in: context.formats.timeZone, atMost: 8)
    let numbers = ticks.values.map { value in
      let number = context.formats.number(value, fractionDigits: ticks.fractionDigits)
      return (value, value == high && !unit.isEmpty ? "\(number) \(unit)" : number)
    }
    return """
      <figure class="chart">\(readout)<svg role="img" aria-labelledby="\(id)-title" \
      aria-describedby="\(id)-desc">\
      <title id="\(id)-title">\(title)</title><desc id="\(id)-desc">\(summary)</desc>\
      \(each: bands, drawing.band)\
      \(each: numbers, drawing.row)\
      \(each: times.moments.enumerated(), {
        drawing.column($0.element, times.label($0.element, context.formats), $0.offset)
      })\
      \(each: readings, drawing.hit)\(each: levels, drawing.level)\
      \(each: lines.enumerated(), { drawing.line($0.element, $0.offset) })\
      \(each: bars.enumerated(), { drawing.bars($0.element, $0.offset) })\
      \(each: marks, drawing.mark)</svg>\(legend(bands))</figure>
      """
  }

  /// The style sheet of charts, and the script that shows the other sentences of the readout: for
  /// the `scripts` of a page with a chart.
  public static var scripts: [StaticString] { ["chart.css", "chart.js"] }

  /// The latest sentence, which the script replaces by that of another time.
  private var readout: HTML? {
    readings.last.map { "<p class=\"readout\" aria-live=\"polite\">\($0.text)</p>" }
  }

  private func legend(_ bands: [Band]) -> HTML? {
    let series = lines.map(\.name) + bars.map(\.name)
    let shape: HTML? = bars.isEmpty ? nil : " bar"
    let (named, averages) = (bands.compactMap(\.name), levels.compactMap(\.name))
    guard series.count > 1 || !named.isEmpty || !averages.isEmpty || note != nil else { return nil }
    return """
      <figcaption>\(each: series.enumerated(), { number, name in
        "<span class=\"key \(Self.style(number))\(shape)\">\(name)</span> "
      })\(each: named, { "<span class=\"key band\">\($0)</span> " })\
      \(each: averages, { "<span class=\"key average\">\($0)</span> " })\
      \(note.map { "<span class=\"note\">\($0)</span>" })</figcaption>
      """
  }

  static func style(_ number: Int) -> StaticString { number == 0 ? "first" : "second" }
}
