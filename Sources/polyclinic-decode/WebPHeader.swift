extension PictureHeader {
  /// Walks the chunks of a WebP (RFC 9649) to its end.
  init(webp bytes: Bytes) throws(Refusal) {
    let end = try bytes.little(4, 4) + 8
    guard end <= bytes.count else { throw .damaged }
    var header: PictureHeader?
    var orientation = Orientation.upright
    var isTransparent = false
    var place = 12
    while place + 8 <= end {
      let length = try bytes.little(place + 4, 4)
      let content = try bytes.slice(place + 8, length)
      if bytes.starts(with: "VP8X", at: place) {
        if try content[0] & 0x02 != 0 { throw .animated }
        isTransparent = try content[0] & 0x10 != 0
      } else if bytes.starts(with: "ANIM", at: place) || bytes.starts(with: "ANMF", at: place) {
        throw .animated
      } else if header != nil, bytes.starts(with: "VP8", at: place) {
        // A second size could differ from the one that libwebp takes.
        throw .damaged
      } else if bytes.starts(with: "VP8 ", at: place) {
        header = try Self.lossyWebP(content)
      } else if bytes.starts(with: "VP8L", at: place) {
        header = try Self.losslessWebP(content)
      } else if bytes.starts(with: "EXIF", at: place) {
        let prefix = content.starts(with: "Exif\0\0") ? 6 : 0
        orientation = Orientation(exif: try content.slice(prefix, content.count - prefix))
      }
      place += 8 + length + length % 2
    }
    guard var header else { throw .damaged }
    header.orientation = orientation
    header.isTransparent = header.isTransparent || isTransparent
    self = header
  }

  /// RFC 6386, 9.1: the start code, then width and height of 14 bits each.
  private static func lossyWebP(_ frame: Bytes) throws(Refusal) -> PictureHeader {
    guard try frame.big(3, 3) == 0x9D012A else { throw .damaged }
    let width = try frame.little(6, 2) & 0x3FFF
    let height = try frame.little(8, 2) & 0x3FFF
    return PictureHeader(format: .webp, width: width, height: height, isLossy: true)
  }

  /// RFC 9649, 3.4: the signature, width - 1 and height - 1 of 14 bits each, a bit for alpha.
  private static func losslessWebP(_ frame: Bytes) throws(Refusal) -> PictureHeader {
    guard try frame[0] == 0x2F else { throw .damaged }
    let sizes = try frame.little(1, 4)
    return PictureHeader(
      format: .webp, width: (sizes & 0x3FFF) + 1, height: (sizes >> 14 & 0x3FFF) + 1,
      isTransparent: sizes >> 28 & 1 == 1)
  }
}
