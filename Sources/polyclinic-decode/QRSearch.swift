import Glibc

/// Looks for codes on a page.
struct QRSearch {
  let reader: QRReader
  /// For all pages together, because a certificate of several pages has its codes on the first.
  private var viewsLeft = 15
  /// One second of the processor's time, for a page on which everything looks like a code.
  private var clocksLeft = clock_t(1_000_000)

  static let mostCodes = 8

  init() throws(Refusal) { reader = try QRReader() }

  /// The payloads on a page in reading order, each once.
  mutating func payloads(on page: Picture) -> [[UInt8]] {
    let whole = GreyPicture(page)
    let side = max(whole.width, whole.height)
    var small = whole
    while max(small.width, small.height) > 1200 { small = small.halved() }
    var found = reader.codes(on: small)
    if side > 1200 { found += reader.codes(on: whole) }
    if found.isEmpty, small.hasContrast { found = codesInViews(of: small) }
    return Self.inReadingOrder(found)
  }

  /// Codes in the first view that shows one.
  private mutating func codesInViews(of picture: GreyPicture) -> [FoundCode] {
    let start = clock()
    defer { clocksLeft -= clock() - start }
    for view in Self.views(of: picture) {
      if viewsLeft == 0 || clock() - start > clocksLeft { break }
      viewsLeft -= 1
      let found = reader.codes(on: view(picture))
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Ways to look at a picture again: larger where it is small, sharper, and from several sides
  /// because libzbar reads a dense code only nearly from the front.
  private static func views(of picture: GreyPicture) -> [(GreyPicture) -> GreyPicture] {
    let side = Float(max(picture.width, picture.height))
    let scale = side <= 600 ? min(8, 1200 / side) : 1
    let larger: [(GreyPicture) -> GreyPicture] =
      scale > 1 ? [{ $0.tilted(across: 0, down: 0, scale: scale) }] : []
    let sharper: [(GreyPicture) -> GreyPicture] = [
      { $0.sharpened(radius: 4, strength: 2) }, { $0.sharpened(radius: 7, strength: 4) },
    ]
    let tilts: [(Float, Float)] = [
      (0, 0.15), (0, -0.15), (0.15, 0), (-0.15, 0), (0, 0.3), (0, -0.3), (0.3, 0), (-0.3, 0),
      (0.1, 0.15), (-0.1, 0.15), (0.1, -0.15), (-0.1, -0.15),
    ]
    return larger + sharper
      + tilts.map { tilt in
        { $0.tilted(across: tilt.0, down: tilt.1, scale: scale) }
      }
  }

  /// Orders codes by rows of a tenth of the page, then from left to right, and drops what was
  /// found twice.
  private static func inReadingOrder(_ found: [FoundCode]) -> [[UInt8]] {
    let sorted = found.sorted { one, other in
      let rows = (Int(one.y * 10), Int(other.y * 10))
      return rows.0 == rows.1 ? one.x < other.x : rows.0 < rows.1
    }
    var payloads: [[UInt8]] = []
    for code in sorted where !payloads.contains(code.payload) { payloads.append(code.payload) }
    return Array(payloads.prefix(mostCodes))
  }
}
