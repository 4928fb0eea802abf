import PolyclinicCore

/// A text of one or more lines, centred at a point of a map.
struct MapText {
  let lines: [String]
  let point: MapProjection.Point
  let size: Double

  /// Returns the text. It keeps its size while a script zooms the map.
  func html(_ style: StaticString) -> HTML {
    let top = (1 - Double(lines.count)) / 2 * 1.15 + 0.35
    return """
      <text class="\(style)" data-fixed transform="translate(\(Int(point.x)) \(Int(point.y)))">\
      \(each: lines.indices, { line($0, top) })</text>
      """
  }

  private func line(_ index: Int, _ top: Double) -> HTML {
    // In letters, so that the lines fit any size of the style sheet.
    let shift = index == 0 ? top : 1.15
    let tenths = Int((shift * 100).rounded())
    return "<tspan x=\"0\" dy=\"\(hundredths: tenths)em\">\(lines[index])</tspan>"
  }
}

extension HTML.StringInterpolation {
  /// Appends a number of hundredths as a decimal fraction.
  fileprivate mutating func appendInterpolation(hundredths value: Int) {
    let digits = value.magnitude % 100
    appendInterpolation(
      "\(value < 0 ? "-" : "")\(value.magnitude / 100).\(digits < 10 ? "0" : "")\(digits)" as String
    )
  }
}
