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
