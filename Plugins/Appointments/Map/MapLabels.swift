/// The room for texts on a map, so that none covers another.
struct MapLabels {
  private var taken: [Box] = []

  /// A rectangle on the map, in map units.
  struct Box {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    /// Creates a rectangle around a point.
    init(around point: MapProjection.Point, width: Double, height: Double) {
      x = point.x - width / 2...point.x + width / 2
      y = point.y - height / 2...point.y + height / 2
    }

    fileprivate var isOnMap: Bool {
      x.lowerBound >= 2 && x.upperBound <= Double(MapProjection.size.width) - 2 && y.lowerBound >= 2
        && y.upperBound <= Double(MapProjection.size.height) - 2
    }
  }

  mutating func take(_ box: Box) { taken.append(box) }

  /// Takes the rectangles if they are free and on the map. Returns false otherwise.
  mutating func takeFree(_ boxes: [Box]) -> Bool {
    let isFree = boxes.allSatisfy { box in
      box.isOnMap && !taken.contains { $0.x.overlaps(box.x) && $0.y.overlaps(box.y) }
    }
    if isFree { taken += boxes }
    return isFree
  }

  /// Returns an estimate of a text's width: bold letters of a wide font, of which Cyrillic ones are
  /// wider.
  static func width(of text: String, size: Double) -> Double {
    size * text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 0.68 : 0.76) }
  }

  /// Returns the text in lines of about this many letters, broken at blanks.
  static func lines(of text: String, length: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.unicodeScalars.count + word.unicodeScalars.count < length {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
