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

  /// Makes a picture of one colour.
  convenience init(width: Int, height: Int, _ ground: Ground = .white) throws(Refusal) {
    guard let image = gdImageCreateTrueColor(Int32(width), Int32(height)) else {
      throw .tooManyPixels
    }
    gdImageFilledRectangle(image, 0, 0, Int32(width) - 1, Int32(height) - 1, ground.rawValue)
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

  /// A copy on that ground with at most so many pixels on its longer side.
  func fitted(to side: Int, on ground: Ground = .white) throws(Refusal) -> Picture {
    let longer = max(width, height)
    let isSmaller = side < longer
    let copy = try Picture(
      width: isSmaller ? max(1, width * side / longer) : width,
      height: isSmaller ? max(1, height * side / longer) : height, ground)
    if isSmaller {
      paintTransparentColor(ground)
      gdImageCopyResampled(
        copy.image, image, 0, 0, 0, 0, Int32(copy.width), Int32(copy.height), Int32(width),
        Int32(height))
    } else {
      gdImageCopy(copy.image, image, 0, 0, 0, 0, Int32(width), Int32(height))
    }
    return copy
  }

  /// Paints over the one colour that a PNG without alpha may name as transparent, because libgd's
  /// scaling takes it for opaque.
  private func paintTransparentColor(_ ground: Ground) {
    let transparent = image.pointee.transparent
    guard image.pointee.trueColor != 0, transparent >= 0, let rows = image.pointee.tpixels else {
      return
    }
    for y in 0..<height {
      guard let row = rows[y] else { continue }
      for x in 0..<width where row[x] == transparent { row[x] = ground.rawValue }
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
