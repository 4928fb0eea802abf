import PolyclinicCore

/// A text of one or more lines, centred at a point of a map.
struct MapText {
  let lines: [String]
  let point: MapProjection.Point
  let size: Double

  /// The screen for which names are laid out: a phone shows the map at little more than half its
  /// size, so the names are larger and fewer there.
  enum Screen: CaseIterable {
    case wide, phone

    /// The class of the names, of which the style sheet shows those for the screen.
    var style: StaticString { self == .wide ? "wide" : "phone" }

    /// The size of a text in map units, from that on a wide screen. 26 units are 14 pixels on a
    /// phone.
    func size(_ wide: Double) -> Double { self == .wide ? wide : max(26, wide) }
  }

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

/// The name of a clinic beside its mark.
struct MapName {
  /// The name at its place from the mark's middle; nil if there is no room for it.
  private let text: MapText?
  private let screen: MapText.Screen

  private static let size = 20.0
  /// The distance of the name from the middle of the mark.
  private static let distance = 25.0
  /// The numbers of letters in a line: for a block, and for a wide name if no block fits.
  private static let lineLengths = [14, 28]

  /// Takes room at one of the eight sides of the mark.
  init(
    _ name: String, of mark: MapProjection.Point, on screen: MapText.Screen,
    _ labels: inout MapLabels
  ) {
    self.screen = screen
    for length in Self.lineLengths {
      let lines = MapLabels.lines(of: name, length: length)
      if let text = Self.placed(lines, screen.size(Self.size), of: mark, &labels) {
        self.text = text
        return
      }
    }
    text = nil
  }

  private static func placed(
    _ lines: [String], _ size: Double, of mark: MapProjection.Point, _ labels: inout MapLabels
  ) -> MapText? {
    guard (1...4).contains(lines.count) else { return nil }
    let width = lines.map { MapLabels.width(of: $0, size: size) }.max() ?? 0
    let height = Double(lines.count) * size * 1.15
    let (aside, apart) = (distance + width / 2, distance + height / 2)
    let (slantX, slantY) = (0.75 * distance + width / 2, 0.5 * distance + height / 2)
    let offset = [
      (aside, 0), (-aside, 0), (0, apart), (0, -apart), (slantX, slantY), (slantX, -slantY),
      (-slantX, slantY), (-slantX, -slantY),
    ].first { offset in
      let middle = MapProjection.Point(x: mark.x + offset.0, y: mark.y + offset.1)
      return labels.takeFree([.init(around: middle, width: width, height: height)])
    }
    return offset.map { MapText(lines: lines, point: .init(x: $0.0, y: $0.1), size: size) }
  }

  var html: HTML? { text?.html(screen == .wide ? "name wide" : "name phone") }
}
