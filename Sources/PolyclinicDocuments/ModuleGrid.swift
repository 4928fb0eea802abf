import PolyclinicCore

/// The dark and light squares of a QR code, called modules in its standard.
public struct ModuleGrid: Sendable, Equatable {
  /// The number of modules on a side, 21 to 177.
  public let side: Int
  private let bits: [UInt8]

  /// The stored form: the side, then one bit per module, row by row, 1 for a dark one.
  public var bytes: [UInt8] { [UInt8(side)] + bits }

  /// Creates a grid from ``bytes``. Throws `DecodingFailure` for a size that no QR code has.
  public init(_ bytes: [UInt8]) throws {
    let side = Int(bytes.first ?? 0)
    guard (21...177).contains(side), side % 4 == 1, bytes.count == 1 + (side * side + 7) / 8 else {
      throw DecodingFailure()
    }
    self.side = side
    bits = Array(bytes.dropFirst())
  }

  /// Returns true if the module is dark.
  public func isDark(row: Int, column: Int) -> Bool {
    let place = UInt(row * side + column)
    return bits[Int(place / 8)] & (0x80 &>> UInt8(place % 8)) != 0
  }

  /// The width of the light border that readers need: four modules (ISO/IEC 18004, 9.1).
  private static let border = 4

  /// Returns the code as an SVG that fills its container. It is black on white, regardless of the
  /// colours around it.
  public func svg(label: String) -> HTML {
    let size = side + 2 * Self.border
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" role="img" \
      aria-label="\(label)" shape-rendering="crispEdges">\
      <rect width="\(size)" height="\(size)" fill="#fff"/><path stroke="#000" d="\(strokes)"/></svg>
      """
  }

  /// The path of the SVG: a stroke for each run of dark modules in a row, and a move for each run
  /// of light ones. A run longer than one digit can express is split.
  private var strokes: HTML {
    // Builds an array of bytes, because a code has thousands of runs and an interpolation for each
    // takes several times as long.
    var path: [UInt8] = []
    path.reserveCapacity(3 * side * side)
    for row in 0..<side {
      path.append("M4 ")
      path.append(decimal: Int64(row + Self.border))
      path.append(".5")
      var column = 0
      while column < side {
        let (start, isDark) = (column, isDark(row: row, column: column))
        repeat {
          column += 1
        } while column < side && column - start < 9
          && self.isDark(row: row, column: column) == isDark
        path.append(UInt8(ascii: isDark ? "h" : "m"))
        path.append(UInt8(ascii: "0") + UInt8(column - start))
        if isDark { continue }
        path.append(UInt8(ascii: " "))
        path.append(UInt8(ascii: "0"))
      }
    }
    return "\(utf8: path[...])"
  }
}
