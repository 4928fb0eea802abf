/// The brightness of a picture, row by row, as libzbar reads it.
struct GreyPicture {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  /// Takes over the brightness of a picture on white.
  init(_ picture: Picture) {
    let width = picture.width
    let height = picture.height
    let rows = picture.image.pointee.tpixels
    self.width = width
    self.height = height
    pixels = Array(unsafeUninitializedCapacity: width * height) { grey, count in
      var place = 0
      for y in 0..<height {
        guard let row = rows?[y] else { break }
        for x in 0..<width {
          let color = UInt32(bitPattern: row[x])
          // ITU-R BT.601 in 256ths.
          let sum = 77 &* (color >> 16 & 0xFF) &+ 150 &* (color >> 8 & 0xFF) &+ 29 &* (color & 0xFF)
          grey[place] = UInt8(truncatingIfNeeded: sum >> 8)
          place &+= 1
        }
      }
      count = place
    }
  }

  /// False for a blank page.
  var hasContrast: Bool {
    guard let darkest = pixels.min(), let lightest = pixels.max() else { return false }
    return lightest - darkest > 8
  }
}

extension GreyPicture {
  private init(width: Int, height: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    self.width = width
    self.height = height
    pixels = Array(unsafeUninitializedCapacity: width * height) { buffer, count in
      fill(buffer)
      count = width * height
    }
  }

  /// Half the size: each pixel is the mean of four.
  func halved() -> GreyPicture {
    let (halfWidth, halfHeight) = (width / 2, height / 2)
    return pixels.withUnsafeBufferPointer { source in
      GreyPicture(width: halfWidth, height: halfHeight) { target in
        for y in 0..<halfHeight {
          for x in 0..<halfWidth {
            let place = 2 &* y &* width &+ 2 &* x
            let upper = UInt16(source[place]) &+ UInt16(source[place &+ 1])
            let lower = UInt16(source[place &+ width]) &+ UInt16(source[place &+ width &+ 1])
            target[y &* halfWidth &+ x] = UInt8(truncatingIfNeeded: (upper &+ lower) >> 2)
          }
        }
      }
    }
  }

  /// The picture `scale` times as large, and as a camera sees it that is turned aside by `across`
  /// and `down`; 0.2 makes one border 1.5 times as long as the opposite one.
  func tilted(across: Float, down: Float, scale: Float = 1) -> GreyPicture {
    let (newWidth, newHeight) = (Int(Float(width) * scale), Int(Float(height) * scale))
    let (middleX, middleY) = (Float(newWidth) / 2, Float(newHeight) / 2)
    // Leaves room for the border that grows.
    let zoom = (1 + 0.5 * (abs(across) + abs(down))) / scale
    return pixels.withUnsafeBufferPointer { source in
      GreyPicture(width: newWidth, height: newHeight) { target in
        for y in 0..<newHeight {
          let fromMiddle = Float(y) + 0.5 - middleY
          for x in 0..<newWidth {
            let aside = Float(x) + 0.5 - middleX
            let depth = zoom / (1 + across * aside / middleX + down * fromMiddle / middleY)
            target[y &* newWidth &+ x] = sample(
              source, aside * depth + Float(width) / 2 - 0.5,
              fromMiddle * depth + Float(height) / 2 - 0.5)
          }
        }
      }
    }
  }

  /// The brightness between four pixels; white outside the picture.
  @inline(__always)
  private func sample(_ source: UnsafeBufferPointer<UInt8>, _ x: Float, _ y: Float) -> UInt8 {
    guard x >= 0, y >= 0, x < Float(width - 1), y < Float(height - 1) else { return 255 }
    let (left, top) = (Int(x), Int(y))
    let (partX, partY) = (x - Float(left), y - Float(top))
    let place = top &* width &+ left
    let upper = Float(source[place]) * (1 - partX) + Float(source[place &+ 1]) * partX
    let lower =
      Float(source[place &+ width]) * (1 - partX) + Float(source[place &+ width &+ 1]) * partX
    return UInt8(upper * (1 - partY) + lower * partY)
  }

  /// The picture with stronger edges: each pixel moves away from the mean around it.
  func sharpened(radius: Int, strength: Int) -> GreyPicture {
    let means = averaged(radius)
    return GreyPicture(width: width, height: height) { target in
      for index in 0..<pixels.count {
        let pixel = Int(pixels[index])
        target[index] = UInt8(clamping: pixel &+ strength &* (pixel &- Int(means[index])))
      }
    }
  }

  /// The mean of the square around each pixel, by a table of sums.
  private func averaged(_ radius: Int) -> [UInt8] {
    var sums = [UInt32](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row: UInt32 = 0
      for x in 0..<width {
        row &+= UInt32(pixels[y &* width &+ x])
        sums[(y &+ 1) &* (width &+ 1) &+ x &+ 1] = sums[y &* (width &+ 1) &+ x &+ 1] &+ row
      }
    }
    var means = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      let (top, bottom) = (max(0, y - radius), min(height, y + radius + 1))
      for x in 0..<width {
        let (left, right) = (max(0, x - radius), min(width, x + radius + 1))
        let (first, last) = (top &* (width &+ 1), bottom &* (width &+ 1))
        let sum =
          sums[last &+ right] &- sums[last &+ left] &- sums[first &+ right] &+ sums[first &+ left]
        means[y &* width &+ x] = UInt8(sum / UInt32((right - left) * (bottom - top)))
      }
    }
    return means
  }
}
