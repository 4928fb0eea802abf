/// The dark and light squares of a QR code, which its standard calls modules.
public struct ModuleGrid: Sendable, Equatable {
  /// The number of modules on a side, 21 to 177.
  public let side: Int
  private let bits: [UInt8]

  /// The bytes in which it is stored: the side, then a bit for each module, row by row, 1 for a dark one.
  public var bytes: [UInt8] { [UInt8(side)] + bits }

  /// Reads ``bytes``; throws ``DecodingFailure`` for a size that no QR code has.
  public init(_ bytes: [UInt8]) throws {
    let side = Int(bytes.first ?? 0)
    guard (21...177).contains(side), side % 4 == 1, bytes.count == 1 + (side * side + 7) / 8 else {
      throw DecodingFailure()
    }
    self.side = side
    bits = Array(bytes.dropFirst())
  }

  /// True for a dark module.
  public func isDark(row: Int, column: Int) -> Bool {
    let place = row * side + column
    return bits[place / 8] & (0x80 >> (place % 8)) != 0
  }

  /// The light border that readers need: four modules (ISO/IEC 18004, 9.1).
  private static let border = 4

  /// The code as an SVG that fills its place, black on white whatever the colours around it are.
  public func svg(label: String) -> HTML {
    let size = side + 2 * Self.border
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" role="img" \
      aria-label="\(label)" shape-rendering="crispEdges">\
      <rect width="\(size)" height="\(size)" fill="#fff"/><path fill="#000" d="\(runs)"/></svg>
      """
  }

  /// Each run of dark modules in a row as a rectangle.
  private var runs: HTML {
    var path = HTML()
    for row in 0..<side {
      var column = 0
      while column < side {
        let start = column
        while column < side, isDark(row: row, column: column) { column += 1 }
        let width = column - start
        if width > 0 {
          path += "M\(start + Self.border) \(row + Self.border)h\(width)v1h-\(width)z"
        }
        column += 1
      }
    }
    return path
  }
}
