import CZBar

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
