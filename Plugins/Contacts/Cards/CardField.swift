import PolyclinicCore
import PolyclinicFormats

/// The content of one card line, for the properties that have a field in a contact.
enum CardField: Hashable {
  /// A property of a ``Contact/TextField`` with its text.
  case text(String, String)
  /// The components of the name (`N`), which a card has besides the formatted name (`FN`).
  case parts
  case way(CommunicationMethod.Kind, String)
  case birthday(CalendarDate)
  /// A known property without a value.
  case empty

  /// The property for a contact method of the kind "other", which vCard does not define.
  static let otherWay = "X-POLYCLINIC-WAY"

  /// Returns nil if no field of a contact holds this line.
  init?(_ line: ContentLine) {
    switch line.name {
    case "N": self = line.components.allSatisfy { plainText($0, .line).isEmpty } ? .empty : .parts
    case "TEL": self = Self.reached(.phone, Self.telephone(line.text))
    case "EMAIL": self = Self.reached(.email, Self.without("mailto:", line.text))
    case "IMPP": self = Self.reached(.messenger, Self.messenger(line.text))
    case "URL": self = Self.reached(.web, line.text)
    case Self.otherWay: self = Self.reached(.other, line.text)
    case "BDAY" where line.value.allSatisfy { $0 == UInt8(ascii: ";") }: self = .empty
    case "BDAY":
      guard case .day(let date) = CardDate(line) else { return nil }
      self = .birthday(date)
    default:
      guard let field = Contact.TextField.byProperty[line.name] else { return nil }
      let text = field.read?(line) ?? plainText(line.text, field.shape)
      self = text.isEmpty ? .empty : .text(line.name, text)
    }
  }

  private static func reached(_ kind: CommunicationMethod.Kind, _ text: String) -> CardField {
    let value = plainText(text, .line)
    return value.isEmpty ? .empty : .way(kind, value)
  }

  /// Removes the scheme and the parameters of a `tel:` URL (RFC 3966), except an extension.
  private static func telephone(_ text: String) -> String {
    let parameters = begins(text, with: "tel:") ? text.split(separator: ";").dropFirst() : []
    let number = without("tel:", text)
    guard let named = parameters.first(where: { begins(String($0), with: "ext=") }) else {
      return number
    }
    return "\(number) ext. \(named.dropFirst(4))"
  }

  /// Removes the scheme, and the parameters after a telephone number or address.
  private static func without(_ scheme: String, _ text: String) -> String {
    guard begins(text, with: scheme) else { return text }
    return String(text.dropFirst(scheme.count).prefix { $0 != ";" && $0 != "?" })
  }

  /// True if the text begins with the scheme in any letter case. Reads no more of the text than the
  /// scheme's length.
  private static func begins(_ text: String, with scheme: String) -> Bool {
    text.utf8.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(
      scheme.utf8.map { $0 | 0x20 })
  }

  /// Decodes a messenger name and removes a generic scheme: `im:` (RFC 3860) or Apple's `x-apple:`.
  private static func messenger(_ text: String) -> String {
    for scheme in ["im:", "x-apple:"] where begins(text, with: scheme) {
      return percentDecoded(String(text.dropFirst(scheme.count))) ?? text
    }
    return text
  }
}
