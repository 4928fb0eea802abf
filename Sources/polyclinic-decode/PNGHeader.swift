/// The chunks of a PNG.
struct PNGChunks {
  let header: PictureHeader
  /// The PNG without the chunks that a decoder could do without, such as compressed texts, which
  /// cost it seconds.
  let essence: [UInt8]

  /// Walks the chunks to the last.
  init(_ input: [UInt8]) throws(Refusal) {
    let bytes = Bytes(input[...])
    guard bytes.starts(with: "IHDR", at: 12) else { throw .damaged }
    var orientation = Orientation.upright
    var essence = Array(input.prefix(8))
    var place = 8
    var isLast = false
    // PNG, third edition, 11.2.1: colour types 4 and 6 have an alpha channel.
    var isTransparent = try bytes.big(25, 1) & 4 != 0
    while !isLast {
      let length = try bytes.big(place, 4)
      let chunk = try bytes.slice(place, 12 + length)
      isLast = chunk.starts(with: "IEND", at: 4)
      if chunk.starts(with: "acTL", at: 4) { throw .animated }
      if chunk.starts(with: "tRNS", at: 4) { isTransparent = true }
      if chunk.starts(with: "eXIf", at: 4) {
        orientation = Orientation(exif: try chunk.slice(8, length))
      }
      if isLast || Self.essential.contains(where: { chunk.starts(with: $0, at: 4) }) {
        essence += chunk.all
      }
      place += 12 + length
    }
    header = PictureHeader(
      format: .png, width: try bytes.big(16, 4), height: try bytes.big(20, 4),
      orientation: orientation, isTransparent: isTransparent)
    self.essence = essence
  }

  private static let essential: [StaticString] = ["IHDR", "PLTE", "tRNS", "IDAT"]
}
