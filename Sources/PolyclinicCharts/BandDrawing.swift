import PolyclinicCore

/// The bands of a chart, their names, and the pattern that tells two bands apart without colour.
extension ChartDrawing {
  /// The hatching of a second band, to which the chart refers.
  var patterns: HTML {
    """
    <defs><pattern id="\(id)-hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><line class="second" y2="7"/></pattern></defs>
    """
  }

  /// Returns a band. Of two with names, the first one has solid edges, and the second one is hatched
  /// and has dashed edges.
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
    let isHatched = number > 0 && chart.tellsBandsApart
    let hatch: HTML? = isHatched ? "<rect fill=\"url(#\(id)-hatch)\" \(place)/>" : nil
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
