import CGD

extension Picture {
  /// The picture as a file: JPEG for a lossy source, else the smaller of PNG and JPEG.
  func file(isLossy: Bool, quality: Int32) throws(Refusal) -> [UInt8] {
    var size: Int32 = 0
    guard let jpeg = Self.taken(gdImageJpegPtr(image, &size, quality), &size) else {
      throw .damaged
    }
    guard !isLossy, hasFlatColors, let png = png(), png.count <= jpeg.count else { return jpeg }
    return png
  }

  func png() -> [UInt8]? {
    var size: Int32 = 0
    return Self.taken(gdImagePngPtr(image, &size), &size)
  }

  /// False for a photo, whose PNG would cost a second and be larger than the JPEG.
  private var hasFlatColors: Bool {
    guard let rows = image.pointee.tpixels, width > 1 else { return true }
    var repeated = 0
    for y in stride(from: 0, to: height, by: 4) {
      guard let row = rows[y] else { continue }
      for x in 1..<width where row[x] == row[x &- 1] { repeated &+= 1 }
    }
    return repeated * 8 > width * height
  }

  private static func taken(_ data: UnsafeMutableRawPointer?, _ size: inout Int32) -> [UInt8]? {
    guard let data else { return nil }
    defer { gdFree(data) }
    return Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
  }
}
