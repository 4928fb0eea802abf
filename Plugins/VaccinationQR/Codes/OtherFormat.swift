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
    if begins("HC"), payload.count > 4, payload[2].isASCIIDigit, payload[3] == UInt8(ascii: ":") {
      self = .laterEuropean
    } else if begins("NZCP:/") {
      self = .newZealand
    } else if begins("shlink:/") {
      self = .healthLink
    } else if begins("CH1:") {
      self = .swissLight
    } else if begins("NL2:") {
      self = .netherlands
    } else if begins("DC0"), payload.count > 20, payload[3].isASCIIDigit {
      self = .french
    } else if payload.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .divoc
    } else if Self.isVDS(payload) {
      self = .vds
    } else {
      return nil
    }
  }

  /// True for an object with `data` and `sig` (ICAO, VDS-NC).
  private static func isVDS(_ payload: [UInt8]) -> Bool {
    guard payload.first == UInt8(ascii: "{"), payload.count <= Code.limit,
      let json = try? JSON(reading: payload)
    else { return false }
    return json["data"]?["hdr"] != nil && json["sig"] != nil
  }
}
