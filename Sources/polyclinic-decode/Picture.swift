import CGD

/// A picture in memory, as libgd keeps it.
final class Picture {
  let image: gdImagePtr

  init(_ image: gdImagePtr) { self.image = image }

  deinit { gdImageDestroy(image) }

  var width: Int { Int(image.pointee.sx) }
  var height: Int { Int(image.pointee.sy) }

  /// Makes a white picture.
  convenience init(width: Int, height: Int) throws(Refusal) {
    guard let image = gdImageCreateTrueColor(Int32(width), Int32(height)) else {
      throw .tooManyPixels
    }
    gdImageFilledRectangle(image, 0, 0, Int32(width) - 1, Int32(height) - 1, Self.white)
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

  private static let white: Int32 = 0xFF_FFFF

  /// A copy on white with at most so many pixels on its longer side.
  func fitted(to side: Int) throws(Refusal) -> Picture {
    let longer = max(width, height)
    let isSmaller = side < longer
    let copy = try Picture(
      width: isSmaller ? max(1, width * side / longer) : width,
      height: isSmaller ? max(1, height * side / longer) : height)
    if isSmaller {
      paintTransparentColor()
      gdImageCopyResampled(
        copy.image, image, 0, 0, 0, 0, Int32(copy.width), Int32(copy.height), Int32(width),
        Int32(height))
    } else {
      gdImageCopy(copy.image, image, 0, 0, 0, 0, Int32(width), Int32(height))
    }
    return copy
  }

  /// Paints white over the one colour that a PNG without alpha may name as transparent, because
  /// libgd's scaling takes it for opaque.
  private func paintTransparentColor() {
    let transparent = image.pointee.transparent
    guard image.pointee.trueColor != 0, transparent >= 0, let rows = image.pointee.tpixels else {
      return
    }
    for y in 0..<height {
      guard let row = rows[y] else { continue }
      for x in 0..<width where row[x] == transparent { row[x] = Self.white }
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
