import PolyclinicCore

/// What two entries of an address book have in common when they stand for one person.
enum ContactMark: Hashable, Sendable {
  /// The folded name.
  case name(ArraySlice<UInt8>)
  /// The end of a telephone number, in digits.
  case phone(ArraySlice<UInt8>)
  /// A number that stands for an e-mail address.
  case email(Int64)

  /// The kinds of marks, in the order in which reasons are told.
  enum Kind: Int, Sendable { case name, phone, email }

  var kind: Kind {
    switch self {
    case .name: .name
    case .phone: .phone
    case .email: .email
    }
  }

  /// How many digits at the end of a number tell it, whatever country and trunk codes stand before
  /// them: `+375 29 111-22-33` and `8 029 111-22-33` are one.
  private static let tellingDigits = 9
  /// Numbers with fewer digits are those of a house or an emergency service: many have them in common.
  private static let fewestDigits = 7

  /// Nil for a number too short to tell anybody.
  static func phone(digits: ArraySlice<UInt8>) -> ContactMark? {
    digits.count < fewestDigits ? nil : .phone(digits.suffix(tellingDigits))
  }

  /// The digits of a telephone number, of any script as ASCII's.
  static func digits(of number: String) -> [UInt8] {
    SearchText(number).folded.filter((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
  }

  /// A number of 64 bits for an address, all but certainly another for any other (FNV-1a).
  static func email(_ address: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in address.lowercased().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}
