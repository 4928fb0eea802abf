import CGD

extension Picture {
  /// Decodes a picture of at most 2400 pixels a side, upright, on that ground.
  static func read(
    _ input: [UInt8], _ format: PictureHeader.Format, on ground: Ground = .white
  ) throws(Refusal) -> (picture: Picture, header: PictureHeader) {
    var input = input
    let header: PictureHeader
    switch format {
    case .jpeg: header = try PictureHeader(jpeg: Bytes(input[...]))
    case .webp: header = try PictureHeader(webp: Bytes(input[...]))
    case .png:
      let chunks = try PNGChunks(input)
      (header, input) = (chunks.header, chunks.essence)
    }
    try header.checkSize()
    let picture = try decode(input, format).fitted(to: 2400, on: ground)
      .upright(header.orientation)
    return (picture, header)
  }

  /// Decodes a picture with its transparent parts still transparent.
  private static func decode(
    _ input: [UInt8], _ format: PictureHeader.Format
  ) throws(Refusal) -> Picture {
    let image = input.withUnsafeBytes { bytes -> gdImagePtr? in
      let data = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      let size = Int32(bytes.count)
      return switch format {
      case .png: gdImageCreateFromPngPtr(size, data)
      case .jpeg: gdImageCreateFromJpegPtrEx(size, data, 1)
      case .webp: gdImageCreateFromWebpPtr(size, data)
      }
    }
    guard let image else { throw .damaged }
    return Picture(image)
  }
}
