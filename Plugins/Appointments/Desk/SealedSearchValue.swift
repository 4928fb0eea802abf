import Foundation
import PolyclinicCore

/// A value of a search in an address, sealed with the key of the receptionist who searched.
///
/// Nobody else can make or read it, and it opens on the day of the search alone. So a patient's
/// number in an address shows that this receptionist has found the patient today.
struct SealedSearchValue {
  private let name: StaticString

  /// The words that were typed.
  static let words = SealedSearchValue(name: "appointments_search.words")
  /// The numbers of the people whom the search has found.
  static let found = SealedSearchValue(name: "appointments_search.found")
  /// The number of the patient who was chosen.
  static let patient = SealedSearchValue(name: "appointments_search.patient")

  /// The maximum number of Unicode scalars. Sealed, they fill a quarter of the header that nginx
  /// accepts (4 kB).
  private static let most = 200

  /// Returns the value sealed, in Base64url (RFC 4648, 5), shortened to a length that fits into an
  /// address.
  func seal(_ value: String, _ context: Context) throws -> String {
    let shown = String(String.UnicodeScalarView(value.unicodeScalars.prefix(Self.most)))
    let sealed = try context.keys.seal(Array(shown.utf8), as: name, row: Self.day(context))
    return Data(sealed.bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns the value; nil for a text that this receptionist's searches of today have not sealed.
  func open(_ text: String, _ context: Context) throws -> String? {
    let keys = try context.keys
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: standard + padding) else { return nil }
    do {
      let opened = try keys.open(Sealed(Array(bytes)), as: name, row: Self.day(context))
      return IncomingText(opened).repaired
    } catch { return nil }
  }

  private static func day(_ context: Context) -> Int64 { Int64(context.today.daysSince1970) }
}

extension SealedSearchValue {
  /// Returns the query of the patient's pages at the reception.
  static func query(of patient: ID<Person>, _ context: Context) throws -> Fields {
    let sealed = try Self.patient.seal(patient.description, context)
    return Fields([field: sealed])
  }

  /// Returns the patient whom the request names, found by a search of today; nil if it names none.
  /// Throws ``Refusal/gone(_:)`` for anything else.
  static func chosenPatient(in context: Context) throws -> ID<Person>? {
    let sent = context.choices[field]
    if sent.isEmpty { return nil }
    guard let person = try patient.open(sent, context).flatMap({ ID<Person>($0) }) else {
      throw Refusal.gone("reception.search.over")
    }
    return person
  }

  /// The field of the chosen patient, in addresses and forms.
  static let field = "patient_id"
}
