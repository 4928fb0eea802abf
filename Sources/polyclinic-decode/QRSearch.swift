import CZBar
import Glibc

/// Looks for codes on a page.
struct QRSearch {
  let reader: QRReader
  /// For all pages together, because a certificate of several pages has its codes on the first.
  private var viewsLeft = 15
  /// One second of the processor's time, for a page on which everything looks like a code.
  private var clocksLeft = clock_t(1_000_000)

  static let mostCodes = 8

  init() throws(Refusal) { reader = try QRReader() }

  /// The payloads on a page in reading order, each once.
  mutating func payloads(on page: Picture) -> [[UInt8]] {
    let whole = GreyPicture(page)
    let side = max(whole.width, whole.height)
    var small = whole
    while max(small.width, small.height) > 1200 { small = small.halved() }
    var found = reader.codes(on: small)
    if side > 1200 { found += reader.codes(on: whole) }
    if found.isEmpty, small.hasContrast { found = codesInViews(of: small) }
    return Self.inReadingOrder(found)
  }

  /// Codes in the first view that shows one.
  private mutating func codesInViews(of picture: GreyPicture) -> [FoundCode] {
    let start = clock()
    defer { clocksLeft -= clock() - start }
    for view in Self.views(of: picture) {
      if viewsLeft == 0 || clock() - start > clocksLeft { break }
      viewsLeft -= 1
      let found = reader.codes(on: view(picture))
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Ways to look at a picture again: larger where it is small, sharper, and from several sides
  /// because libzbar reads a dense code only nearly from the front.
  private static func views(of picture: GreyPicture) -> [(GreyPicture) -> GreyPicture] {
    let side = Float(max(picture.width, picture.height))
    let scale = side <= 600 ? min(8, 1200 / side) : 1
    let larger: [(GreyPicture) -> GreyPicture] =
      scale > 1 ? [{ $0.tilted(across: 0, down: 0, scale: scale) }] : []
    let sharper: [(GreyPicture) -> GreyPicture] = [
      { $0.sharpened(radius: 4, strength: 2) }, { $0.sharpened(radius: 7, strength: 4) },
    ]
    let tilts: [(Float, Float)] = [
      (0, 0.15), (0, -0.15), (0.15, 0), (-0.15, 0), (0, 0.3), (0, -0.3), (0.3, 0), (-0.3, 0),
      (0.1, 0.15), (-0.1, 0.15), (0.1, -0.15), (-0.1, -0.15),
    ]
    return larger + sharper
      + tilts.map { tilt in
        { $0.tilted(across: tilt.0, down: tilt.1, scale: scale) }
      }
  }

  /// Orders codes by rows of a tenth of the page, then from left to right, and drops what was
  /// found twice.
  private static func inReadingOrder(_ found: [FoundCode]) -> [[UInt8]] {
    let sorted = found.sorted { one, other in
      let rows = (Int(one.y * 10), Int(other.y * 10))
      return rows.0 == rows.1 ? one.x < other.x : rows.0 < rows.1
    }
    var payloads: [[UInt8]] = []
    for code in sorted where !payloads.contains(code.payload) { payloads.append(code.payload) }
    return Array(payloads.prefix(mostCodes))
  }
}

/// A QR code found on a picture.
struct FoundCode {
  let payload: [UInt8]
  /// The place of its upper left corner, as parts of the picture's width and height.
  let x: Double
  let y: Double
}

/// Finds QR codes with libzbar.
final class QRReader {
  private let scanner: OpaquePointer

  init() throws(Refusal) {
    guard let scanner = zbar_image_scanner_create() else { throw .damaged }
    self.scanner = scanner
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
    // Without it libzbar guesses a character set and converts.
    zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_TEST_INVERTED, 1)
  }

  deinit { zbar_image_scanner_destroy(scanner) }

  func codes(on picture: GreyPicture) -> [FoundCode] {
    guard let image = zbar_image_create() else { return [] }
    defer { zbar_image_destroy(image) }
    zbar_image_set_format(image, 0x3030_3859)  // Y800
    zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
    return picture.pixels.withUnsafeBytes { pixels in
      zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
      guard zbar_scan_image(scanner, image) > 0 else { return [] }
      var found: [FoundCode] = []
      var symbol = zbar_image_first_symbol(image)
      while let current = symbol {
        found.append(Self.code(current, on: picture))
        symbol = zbar_symbol_next(current)
      }
      return found
    }
  }

  private static func code(_ symbol: OpaquePointer, on picture: GreyPicture) -> FoundCode {
    let corners = 0..<zbar_symbol_get_loc_size(symbol)
    let left = corners.map { zbar_symbol_get_loc_x(symbol, $0) }.min() ?? 0
    let top = corners.map { zbar_symbol_get_loc_y(symbol, $0) }.min() ?? 0
    let payload = UnsafeRawBufferPointer(
      start: zbar_symbol_get_data(symbol), count: Int(zbar_symbol_get_data_length(symbol)))
    return FoundCode(
      payload: Array(payload), x: Double(left) / Double(picture.width),
      y: Double(top) / Double(picture.height))
  }
}
