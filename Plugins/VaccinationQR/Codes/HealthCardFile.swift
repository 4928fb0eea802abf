import PolyclinicCore

/// A `.smart-health-card` file: JSON with the signatures of several cards.
struct HealthCardFile {
  /// One payload `shc:/…` for each card, as its QR code would contain it.
  let payloads: [String]

  /// The largest file, in bytes.
  static let limit = 128 * 1_024

  /// Returns the JSON of a file, without a byte order mark and blanks before it; nil for a file of
  /// another kind.
  static func json(in file: [UInt8]) -> [UInt8]? {
    let before: [UInt8] = [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20]
    let json = file.drop(while: before.contains)
    return json.first == UInt8(ascii: "{") ? Array(json) : nil
  }

  /// Throws ``CodeFault``, also for a card that is larger than a code may be.
  init(reading file: [UInt8]) throws(CodeFault) {
    guard file.count <= Self.limit else { throw .size }
    guard let json = try? JSON(reading: file) else { throw .json }
    let cards = json["verifiableCredential"]?.items.compactMap(\.string) ?? []
    if cards.isEmpty { throw .content }
    payloads = try cards.map(Self.payload)
  }

  private static func payload(_ text: String) throws(CodeFault) -> String {
    guard text.utf8.count * 2 + HealthCard.prefix.utf8.count <= Code.limit else { throw .size }
    guard text.utf8.allSatisfy({ (45...122).contains($0) }) else { throw .jws }
    let digits = text.utf8.map { byte in
      let value = byte - 45
      return "\(value / 10)\(value % 10)"
    }
    return HealthCard.prefix + digits.joined()
  }
}
