import CGD

extension Picture {
  func jpeg() -> [UInt8]? {
    var size: Int32 = 0
    return Self.taken(gdImageJpegPtr(image, &size, 90), &size)
  }

  func png() -> [UInt8]? {
    var size: Int32 = 0
    return Self.taken(gdImagePngPtr(image, &size), &size)
  }

  /// The picture as a file: JPEG for a lossy source, else the smaller of PNG and JPEG.
  func file(isLossy: Bool) throws(Refusal) -> [UInt8] {
    guard let jpeg = jpeg() else { throw .damaged }
    guard !isLossy, let png = png(), png.count <= jpeg.count else { return jpeg }
    return png
  }

  private static func taken(_ data: UnsafeMutableRawPointer?, _ size: inout Int32) -> [UInt8]? {
    guard let data else { return nil }
    defer { gdFree(data) }
    return Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
  }
}
