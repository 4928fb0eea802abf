extension PictureHeader {
  /// Walks the markers of a JPEG to its end.
  ///
  /// libjpeg fills a truncated picture with grey, so that only the missing end marker tells.
  init(jpeg bytes: Bytes) throws(Refusal) {
    var size: (width: Int, height: Int)?
    var orientation = Orientation.upright
    var scans = 0
    var place = 2
    while let marker = Self.nextMarker(in: bytes, from: &place), marker != 0xD9 {
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      let length = try bytes.big(place, 2)
      let segment = try bytes.slice(place, length)
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        // A second size could differ from the one that libjpeg takes.
        guard size == nil else { throw .damaged }
        size = (try segment.big(5, 2), try segment.big(3, 2))
      case 0xE1 where segment.starts(with: "Exif\0\0", at: 2):
        orientation = Orientation(exif: try segment.slice(8, length - 8))
      case 0xDA: scans += 1
      default: break
      }
      // Each scan of a progressive picture costs as much as decoding a baseline one.
      guard scans <= 64 else { throw .damaged }
      place += length
    }
    guard let size, scans > 0, place <= bytes.count else { throw .damaged }
    self.init(
      format: .jpeg, width: size.width, height: size.height, orientation: orientation,
      isLossy: true)
  }

  /// Skips to the next marker and behind it. Returns nil, with a place behind the end, without one.
  private static func nextMarker(in bytes: Bytes, from place: inout Int) -> UInt8? {
    let found = bytes.all.withUnsafeBufferPointer { buffer -> Int? in
      var index = place
      while index + 1 < buffer.count {
        // 0xFF00 is data, 0xFFFF is padding.
        if buffer[index] == 0xFF, buffer[index + 1] != 0, buffer[index + 1] != 0xFF { return index }
        index += 1
      }
      return nil
    }
    place = found.map { $0 + 2 } ?? bytes.count + 1
    return found.map { bytes.all[bytes.all.startIndex + $0 + 1] }
  }
}
