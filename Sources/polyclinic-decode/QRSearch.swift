/// Looks for codes on a page, at several scales.
struct QRSearch {
  let reader: QRReader

  static let mostCodes = 8

  init() throws(Refusal) { reader = try QRReader() }

  /// The payloads on a page in reading order, each once.
  func payloads(on page: Picture) throws(Refusal) -> [[UInt8]] {
    var found: [FoundCode] = []
    for side in [1200, 2400] where side == 1200 || max(page.width, page.height) > 1200 {
      let grey = GreyPicture(side < max(page.width, page.height) ? try page.fitted(to: side) : page)
      for code in reader.codes(on: grey)
      where !found.contains(where: { $0.payload == code.payload }) {
        found.append(code)
      }
    }
    return Self.sorted(found).prefix(Self.mostCodes).map(\.payload)
  }

  /// Codes by rows of a tenth of the page, then from left to right.
  static func sorted(_ found: [FoundCode]) -> [FoundCode] {
    found.sorted { one, other in
      let rows = (Int(one.y * 10), Int(other.y * 10))
      return rows.0 == rows.1 ? one.x < other.x : rows.0 < rows.1
    }
  }
}
