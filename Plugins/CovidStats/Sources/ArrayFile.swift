import Foundation
import PolyclinicCore

/// A large JSON array in a file, read element by element so that only one is in memory at a time.
struct ArrayFile {
  /// The size limit in bytes, one and a half times the source's largest response.
  private static let byteLimit = 24 << 20
  private static let elementLimit = 1 << 20
  private static let countLimit = 10_000
  private static let pieceSize = 1 << 16

  let path: String

  /// Calls `body` with each element. Throws ``SourceFault`` if the file is not an array of such
  /// elements, and rethrows the errors of `body`.
  func read<Element: Decodable>(_ body: (Element) throws -> Void) throws {
    let file = try FigureFile(path: path).open(limit: Self.byteLimit)
    let decoder = JSONDecoder()
    var splitter = Splitter()
    while let piece = try file.read(upToCount: Self.pieceSize), !piece.isEmpty {
      for byte in piece {
        guard let element = try splitter.take(byte) else { continue }
        do { try body(decoder.decode(Element.self, from: element)) } catch is DecodingError {
          // Replaces the decoding error, because it would quote the response.
          throw SourceFault(.shape)
        }
      }
    }
    try splitter.finish()
  }

  /// Splits the array into the bytes of its elements, which the caller decodes.
  private struct Splitter {
    private enum Place {
      case before, inside, after
    }

    private var place = Place.before
    /// The number of open arrays and objects within the element.
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var element: [UInt8] = []
    private var count = 0

    /// Processes the next byte. Returns the element that ends with it, if any.
    mutating func take(_ byte: UInt8) throws(SourceFault) -> Data? {
      switch place {
      case .inside where isInString:
        try append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        return nil
      case .inside: return try takeInside(byte)
      case .before where byte == UInt8(ascii: "["):
        place = .inside
        return nil
      case .before, .after:
        guard Self.isBlank(byte) else { throw SourceFault(.shape) }
        return nil
      }
    }

    private mutating func takeInside(_ byte: UInt8) throws(SourceFault) -> Data? {
      switch byte {
      case UInt8(ascii: ",") where depth == 0: return try end()
      case UInt8(ascii: "]") where depth == 0:
        place = .after
        return count == 0 && element.allSatisfy(Self.isBlank) ? nil : try end()
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      try append(byte)
      return nil
    }

    private mutating func append(_ byte: UInt8) throws(SourceFault) {
      guard element.count < ArrayFile.elementLimit else { throw SourceFault(.large) }
      element.append(byte)
    }

    private mutating func end() throws(SourceFault) -> Data {
      count += 1
      guard count <= ArrayFile.countLimit else { throw SourceFault(.large) }
      defer { element.removeAll(keepingCapacity: true) }
      return Data(element)
    }

    /// Throws ``SourceFault`` if the array is not complete.
    func finish() throws(SourceFault) {
      switch place {
      case .before: throw SourceFault(.empty)
      case .inside: throw SourceFault(.shape)
      case .after: return
      }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
  }
}
