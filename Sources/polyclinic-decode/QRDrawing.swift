import CGD
import CQREncode

/// A QR code drawn anew: the modules of one that libqrencode made.
struct QRDrawing {
  let side: Int
  /// True is dark, row by row.
  let modules: [Bool]

  /// Draws a payload as its standard asks for; nil when no QR code holds it.
  init?(_ payload: [UInt8]) {
    guard let code = Self.encode(payload) else { return nil }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    modules = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
  }

  private static func encode(_ payload: [UInt8]) -> UnsafeMutablePointer<QRcode>? {
    if payload.starts(with: "HC1:".utf8) {
      // hcert-spec 1.0.8, 4.2.2: alphanumeric mode, level Q.
      for level in [QR_ECLEVEL_Q, QR_ECLEVEL_M, QR_ECLEVEL_L] {
        if let code = encode([(QR_MODE_AN, payload[...])], level) { return code }
      }
    }
    if payload.starts(with: "shc:/".utf8), let slash = payload.lastIndex(of: UInt8(ascii: "/")) {
      // SMART Health Cards: bytes up to the slash, then digits, at most version 22.
      let segments = [(QR_MODE_8, payload[...slash]), (QR_MODE_NUM, payload[(slash + 1)...])]
      for level in [QR_ECLEVEL_H, QR_ECLEVEL_Q, QR_ECLEVEL_M, QR_ECLEVEL_L] {
        guard let code = encode(segments, level) else { continue }
        if code.pointee.version <= 22 || level == QR_ECLEVEL_L { return code }
        QRcode_free(code)
      }
    }
    return encodeAutomatically(payload, QR_ECLEVEL_M) ?? encodeAutomatically(payload, QR_ECLEVEL_L)
  }

  private static func encode(
    _ segments: [(mode: QRencodeMode, bytes: ArraySlice<UInt8>)], _ level: QRecLevel
  ) -> UnsafeMutablePointer<QRcode>? {
    guard let input = QRinput_new2(0, level) else { return nil }
    defer { QRinput_free(input) }
    for segment in segments {
      let result = segment.bytes.withUnsafeBufferPointer {
        QRinput_append(input, segment.mode, Int32($0.count), $0.baseAddress)
      }
      guard result == 0 else { return nil }
    }
    return QRcode_encodeInput(input)
  }

  private static func encodeAutomatically(
    _ payload: [UInt8], _ level: QRecLevel
  ) -> UnsafeMutablePointer<QRcode>? {
    // The splitting into modes takes a C string, which ends at a zero.
    if payload.contains(0) { return encode([(QR_MODE_8, payload[...])], level) }
    return (payload + [0]).withUnsafeBytes {
      let text = $0.assumingMemoryBound(to: CChar.self).baseAddress
      return QRcode_encodeString(text, 0, level, QR_MODE_8, 1)
    }
  }
}

extension QRDrawing {
  /// The side as one byte, then a bit for each module, the most significant first.
  var grid: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (modules.count + 7) / 8)
    for (index, isDark) in modules.enumerated() where isDark {
      bytes[index / 8] |= 0x80 >> (index % 8)
    }
    return [UInt8(side)] + bytes
  }

  /// A picture of about 1000 pixels a side, with the white border of 4 modules (ISO/IEC 18004).
  func picture() throws(Refusal) -> Picture {
    let module = max(1, 1000 / (side + 8))
    let picture = try Picture(blackAndWhite: module * (side + 8))
    for y in 0..<side {
      for x in 0..<side where modules[y * side + x] {
        picture.blacken(x: (x + 4) * module, y: (y + 4) * module, side: module)
      }
    }
    return picture
  }
}
