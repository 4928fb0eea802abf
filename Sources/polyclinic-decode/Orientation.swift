/// The orientation of a picture as EXIF counts it: 1 is upright.
struct Orientation: Equatable {
  let number: Int

  static let upright = Orientation(number: 1)

  /// Sides change places.
  var isTransposed: Bool { number >= 5 }
}

extension Orientation {
  /// Reads the orientation from a TIFF header. A header that cannot be read says nothing.
  init(exif bytes: Bytes) {
    self = (try? Self.read(bytes)) ?? .upright
  }

  /// EXIF 2.32, 4.6: tag 0x0112 of the first directory.
  private static func read(_ bytes: Bytes) throws(Refusal) -> Orientation? {
    let isLittle = bytes.starts(with: "II")
    guard isLittle || bytes.starts(with: "MM") else { return nil }
    func number(_ offset: Int, _ length: Int) throws(Refusal) -> Int {
      isLittle ? try bytes.little(offset, length) : try bytes.big(offset, length)
    }
    let directory = try number(4, 4)
    for entry in 0..<(try number(directory, 2)) {
      let place = directory + 2 + 12 * entry
      guard try number(place, 2) == 0x0112 else { continue }
      let value = try number(place + 8, 2)
      return (1...8).contains(value) ? Orientation(number: value) : nil
    }
    return nil
  }
}
