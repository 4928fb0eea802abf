import PolyclinicCore

/// A key that entries of an address book share if they may describe the same person.
enum ContactMark: Hashable, Sendable {
  /// The folded name.
  case name(ArraySlice<UInt8>)
  /// The last digits of a telephone number.
  case phone(ArraySlice<UInt8>)
  /// The hash of an e-mail address.
  case email(Int64)

  /// The kinds of keys, in the order in which the page lists them.
  enum Kind: Int, Sendable { case name, phone, email }

  var kind: Kind {
    switch self {
    case .name: .name
    case .phone: .phone
    case .email: .email
    }
  }

  /// The number of final digits that identify a telephone number, independent of country and trunk
  /// codes: `+375 29 111-22-33` and `8 029 111-22-33` are the same.
  static let tellingDigits = 9
  /// The fewest digits of a number that is compared. Shorter ones are extensions and emergency
  /// numbers, which many contacts share.
  static let fewestDigits = 7

  /// Returns nil for a number that is too short to identify a person.
  static func phone(digits: ArraySlice<UInt8>) -> ContactMark? {
    digits.count < fewestDigits ? nil : .phone(digits.suffix(tellingDigits))
  }

  /// The digits of a telephone number. Converts digits of any script to ASCII.
  static func digits(of number: String) -> [UInt8] {
    SearchText(number).folded.filter((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
  }

  /// The 64-bit FNV-1a hash of an e-mail address. Two addresses almost never have the same hash.
  static func email(_ address: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in address.lowercased().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}
