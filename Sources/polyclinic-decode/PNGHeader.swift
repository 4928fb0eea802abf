extension PictureHeader {
  /// Walks the chunks of a PNG to its end.
  init(png bytes: Bytes) throws(Refusal) {
    guard bytes.starts(with: "IHDR", at: 12) else { throw .damaged }
    let width = try bytes.big(16, 4)
    let height = try bytes.big(20, 4)
    var orientation = Orientation.upright
    var place = 8
    while !bytes.starts(with: "IEND", at: place + 4) {
      let length = try bytes.big(place, 4)
      let content = try bytes.slice(place + 8, length)
      if bytes.starts(with: "acTL", at: place + 4) { throw .animated }
      if bytes.starts(with: "eXIf", at: place + 4) { orientation = Orientation(exif: content) }
      place += 12 + length
    }
    self.init(format: .png, width: width, height: height, orientation: orientation)
  }
}
