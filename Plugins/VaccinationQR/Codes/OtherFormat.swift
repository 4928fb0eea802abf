import PolyclinicCore

/// A certificate format that the portal recognises but does not decode.
enum OtherFormat: String, CaseIterable, Sendable {
  /// A successor of the EU format.
  case laterEuropean = "hc"
  /// NZ COVID Pass.
  case newZealand = "nzcp"
  /// SMART Health Link.
  case healthLink = "shlink"
  /// The Swiss Certificate Light.
  case swissLight = "ch"
  /// The Netherlands' domestic certificate.
  case netherlands = "nl"
  /// France's 2D-Doc.
  case french = "2d-doc"
  /// DIVOC, of India and others.
  case divoc
  /// ICAO's Visible Digital Seal, of Australia and others.
  case vds

  /// Detects the format by the beginning of the payload. Returns nil for any other.
  init?(of payload: [UInt8]) {
    func begins(_ prefix: String) -> Bool { payload.starts(with: prefix.utf8) }
    let format: OtherFormat? =
      if begins("HC"), payload.count > 4, payload[2].isASCIIDigit, payload[3] == UInt8(ascii: ":") {
        .laterEuropean
      } else if begins("DC0"), payload.count > 20, payload[3].isASCIIDigit {
        .french
      } else if let known = Self.prefixes.first(where: { begins($0.key) }) {
        known.value
      } else {
        Self.isVDS(payload) ? .vds : nil
      }
    guard let format else { return nil }
    self = format
  }

  private static let prefixes: KeyValuePairs<String, OtherFormat> = [
    "NZCP:/": .newZealand, "shlink:/": .healthLink, "CH1:": .swissLight, "NL2:": .netherlands,
    // The signature of a ZIP file.
    "PK\u{3}\u{4}": .divoc,
  ]

  /// True for an object with `data` and `sig` (ICAO, VDS-NC).
  private static func isVDS(_ payload: [UInt8]) -> Bool {
    guard payload.first == UInt8(ascii: "{"), payload.count <= Code.limit,
      let json = try? JSON(reading: payload)
    else { return false }
    return json["data"]?["hdr"] != nil && json["sig"] != nil
  }
}
