import PolyclinicCore

/// The name of a clinic beside its mark.
struct MapName {
  /// The name at its place from the mark's middle; nil if there is no room for it.
  private let text: MapText?

  private static let size = 20.0
  /// The distance of the name from the middle of the mark.
  private static let distance = 25.0
  /// The numbers of letters in a line: for a block, and for a wide name if no block fits.
  private static let lineLengths = [14, 28]

  /// Takes room at one of the eight sides of the mark.
  init(_ name: String, of mark: MapProjection.Point, _ labels: inout MapLabels) {
    for length in Self.lineLengths {
      let lines = MapLabels.lines(of: name, length: length)
      if let text = Self.placed(lines, of: mark, &labels) {
        self.text = text
        return
      }
    }
    text = nil
  }

  private static func placed(
    _ lines: [String], of mark: MapProjection.Point, _ labels: inout MapLabels
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

  var html: HTML? { text?.html("name") }
}
