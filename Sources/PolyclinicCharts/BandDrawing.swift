import PolyclinicCore

/// The target bands of a chart, their names, and the patterns that tell values and bands apart
/// without colour.
extension ChartDrawing {
  /// The patterns that the chart refers to: the hatching of a second band, and the pointed ends of
  /// bars.
  var patterns: HTML {
    let tips: HTML = "\(each: chart.bars.indices.map(Chart.style), tip)"
    return """
      <defs><pattern id="\(id)-hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><line class="second" y2="7"/></pattern>\(tips)</defs>
      """
  }

  /// Returns the pointed end of a bar, whose point is at the highest value. Its height in widths of
  /// the bar is the gap of dashes in `www/styles/chart.css`, which leaves room for it.
  private func tip(_ style: StaticString) -> HTML {
    """
    <marker id="\(id)-tip-\(style)" viewBox="-5 0 10 6" refX="0" refY="0" markerWidth="1.5" markerHeight="0.9" orient="0">\
    <path class="\(style)" d="M-5 6L0 0 5 6z"/></marker>
    """
  }

  /// Returns a band. Of two, the first one has solid edges, and the second one is hatched and has
  /// dashed edges.
  func band(_ band: Chart.Band, _ number: Int) -> HTML {
    let (top, bottom) = (level(band.range.upperBound), level(band.range.lowerBound))
    let style = chart.style(ofBand: number)
    if top == bottom {
      return """
        <line class="aim \(style)" x1="0" x2="100%" y1="\(Self.percent(top))" \
        y2="\(Self.percent(top))"/>
        """
    }
    let place: HTML = """
      x="0" width="100%" y="\(Self.percent(top))" height="\(Self.percent(bottom - top))"
      """
    let hatch: HTML? = number == 0 ? nil : "<rect fill=\"url(#\(id)-hatch)\" \(place)/>"
    return "<rect class=\"band \(style)\" \(place)/>\(hatch)"
  }

  /// Returns the names of the bands at free places, which may differ between narrow and wide
  /// screens.
  func names(of bands: [Chart.Band]) -> HTML {
    let narrow = LabelPlaces(drawing: self, size: .narrow).places(of: bands)
    let wide = LabelPlaces(drawing: self, size: .wide).places(of: bands)
    func names(_ index: Int) -> HTML {
      let isSame = narrow[index] == wide[index]
      let brief = narrow[index].map { name(bands[index], at: $0, isSame ? "" : " brief") }
      let extra = isSame ? nil : wide[index].map { name(bands[index], at: $0, " extra") }
      return "\(brief)\(extra)"
    }
    return "\(each: bands.indices, names)"
  }

  private func name(_ band: Chart.Band, at place: LabelPlaces.Place, _ style: StaticString) -> HTML
  {
    let left = Int((place.share * Double(Self.width)).rounded())
    return """
      <text class="name\(style)" x="\(Self.percent(left))" y="\(y(place.value))" dy="\(place.shift + 5)" \
      text-anchor="\(anchor(.right))">\(band.label ?? "")</text>
      """
  }
}
