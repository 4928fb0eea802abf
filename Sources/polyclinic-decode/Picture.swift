import CGD

/// A picture in memory, as libgd keeps it.
final class Picture {
  let image: gdImagePtr

  init(_ image: gdImagePtr) { self.image = image }

  deinit { gdImageDestroy(image) }

  var width: Int { Int(image.pointee.sx) }
  var height: Int { Int(image.pointee.sy) }

  /// The colour behind transparent parts, as libgd writes it.
  enum Ground: Int32 {
    case white = 0xFF_FFFF
    case black = 0
  }

  /// Makes a black picture.
  convenience init(width: Int, height: Int) throws(Refusal) {
    guard let image = gdImageCreateTrueColor(Int32(width), Int32(height)) else {
      throw .tooManyPixels
    }
    self.init(image)
  }

  /// Makes a white square that ``blacken(x:y:side:)`` paints on; its PNG has one bit a pixel.
  convenience init(blackAndWhite side: Int) throws(Refusal) {
    guard let image = gdImageCreate(Int32(side), Int32(side)) else { throw .tooManyPixels }
    gdImageColorAllocate(image, 255, 255, 255)
    gdImageColorAllocate(image, 0, 0, 0)
    self.init(image)
  }

  func blacken(x: Int, y: Int, side: Int) {
    gdImageFilledRectangle(
      image, Int32(x), Int32(y), Int32(x + side) - 1, Int32(y + side) - 1, 1)
  }

  /// This opaque picture, or a smaller one with so many pixels on its longer side.
  func fitted(to side: Int) throws(Refusal) -> Picture {
    let longer = max(width, height)
    if longer <= side { return self }
    let smaller = try Picture(
      width: max(1, width * side / longer), height: max(1, height * side / longer))
    gdImageAlphaBlending(smaller.image, 0)
    gdImageCopyResampled(
      smaller.image, image, 0, 0, 0, 0, Int32(smaller.width), Int32(smaller.height),
      Int32(width), Int32(height))
    return smaller
  }

  /// The square in the middle of this opaque picture, with so many pixels on a side.
  func square(of side: Int) throws(Refusal) -> Picture {
    let cut = min(width, height)
    let square = try Picture(width: side, height: side)
    gdImageAlphaBlending(square.image, 0)
    gdImageCopyResampled(
      square.image, image, 0, 0, Int32((width - cut) / 2), Int32((height - cut) / 2),
      Int32(side), Int32(side), Int32(cut), Int32(cut))
    return square
  }

  /// Lays the picture on that ground: nothing of it is transparent any more.
  private func lay(on ground: Ground) throws(Refusal) {
    // A PNG without alpha may name one colour as transparent; a palette's has alpha afterwards.
    let transparent = image.pointee.trueColor != 0 ? image.pointee.transparent : -1
    guard gdImagePaletteToTrueColor(image) != 0, let rows = image.pointee.tpixels else {
      throw .tooManyPixels
    }
    for y in 0..<height {
      guard let row = rows[y] else { continue }
      for x in 0..<width {
        let color = row[x]
        if color == transparent {
          row[x] = ground.rawValue
        } else if color > 0xFF_FFFF {
          row[x] = gdAlphaBlend(ground.rawValue, color)
        }
      }
    }
  }

  /// Turns and mirrors the picture as its EXIF orientation says.
  func upright(_ orientation: Orientation) throws(Refusal) -> Picture {
    let turned = orientation.isTransposed ? try turned() : self
    switch orientation.number {
    case 2, 5: gdImageFlipHorizontal(turned.image)
    case 3, 8: gdImageFlipBoth(turned.image)
    case 4, 7: gdImageFlipVertical(turned.image)
    default: break
    }
    return turned
  }

  /// The picture turned clockwise by a quarter.
  private func turned() throws(Refusal) -> Picture {
    guard let image = gdImageRotateInterpolated(image, 270, 0) else { throw .tooManyPixels }
    return Picture(image)
  }
}

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
    let picture = try decode(input, format)
    try picture.lay(on: ground)
    return (try picture.fitted(to: 2400).upright(header.orientation), header)
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
