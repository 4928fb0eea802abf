extension Picture {
  /// Reads a binary PPM of 8 bits as pdftoppm writes it: `P6`, width, height, 255, the pixels.
  convenience init(ppm bytes: [UInt8]) throws(Refusal) {
    var place = 0
    func word() -> String {
      let start = place
      while place < bytes.count, bytes[place] > 0x20 { place += 1 }
      defer { place += 1 }
      return String(decoding: bytes[start..<min(place, start + 16)], as: UTF8.self)
    }
    guard word() == "P6", let width = Int(word()), let height = Int(word()), word() == "255",
      (1...2400).contains(width), (1...2400).contains(height),
      bytes.count - place == 3 * width * height
    else { throw .damaged }
    try self.init(width: width, height: height)
    bytes.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        guard let row = image.pointee.tpixels[y] else { return }
        for x in 0..<width {
          let color =
            Int32(pixels[place]) << 16 | Int32(pixels[place &+ 1]) << 8 | Int32(pixels[place &+ 2])
          row[x] = color
          place &+= 3
        }
      }
    }
  }
}
