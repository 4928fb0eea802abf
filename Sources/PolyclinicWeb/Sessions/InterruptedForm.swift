import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem
import PolyclinicVault

/// Keeps a form that was submitted after its session had ended, while the user signs in again.
/// Nothing typed is lost, and only its sender can see it again.
///
/// It is sealed for the person in whose session the form was opened, so another person who signs in
/// cannot read it. The form's field `once` proves who that was, so nobody can put values into the
/// form of somebody else.
package struct InterruptedForm: Sendable {
  /// The largest form in bytes; a larger one would not fit into a form's field.
  package static let limit = 100_000

  /// The length of each half of ``once(for:)``, in bytes.
  private static let onceLength = 16

  private let cipher: AESCipher
  private let shown: HMAC

  package init(_ vault: Vault) throws {
    cipher = try AESCipher(vault.derived("carried-forms"))
    shown = HMAC(vault.derived("shown-forms"))
  }

  /// Returns a new value of the field `once` in a form that is shown to this person, or to a
  /// visitor without a session.
  func once(for person: ID<Person>?) -> String {
    let value: [UInt8] = .random(Self.onceLength)
    return Base64.url.text(
      value + (person.map { proof(of: value, shownTo: $0) } ?? .random(Self.onceLength)))
  }

  private func isShown(_ once: String, to person: ID<Person>) -> Bool {
    guard let bytes = Base64.url.decoded(once), bytes.count == 2 * Self.onceLength else {
      return false
    }
    let value = Array(bytes.prefix(Self.onceLength))
    return bytes.suffix(Self.onceLength).isSame(as: proof(of: value, shownTo: person))
  }

  private func proof(of value: [UInt8], shownTo person: ID<Person>) -> [UInt8] {
    Array(shown.code(of: value + binding(person)).prefix(Self.onceLength))
  }

  /// An interrupted form: its path and fields.
  package struct Content: Equatable {
    package let path: Path
    package let fields: Fields

    package init(path: Path, fields: Fields) {
      self.path = path
      self.fields = fields
    }
  }

  /// Returns the sealed form for a hidden field; nil if the form is too large, or if `sent` does
  /// not prove that it was shown to the person whom it names.
  package func seal(_ content: Content, sentIn sent: Fields) throws -> String? {
    guard let person = ID<Person>(sent["person"]), isShown(sent["once"], to: person) else {
      return nil
    }
    var bytes = ByteWriter()
    bytes.write(content.path.description)
    for pair in content.fields.pairs {
      bytes.write(pair.name)
      bytes.write(pair.value)
    }
    guard bytes.bytes.count <= Self.limit else { return nil }
    return Base64.url.text(try cipher.seal(bytes.bytes, binding: binding(person)))
  }

  /// Returns the form sealed for this person; nil if it was sealed for another person or is
  /// invalid.
  package func open(_ text: String, for person: ID<Person>) throws -> Content? {
    guard let sealed = Base64.url.decoded(text) else { return nil }
    do {
      var reader = ByteReader(try cipher.open(sealed, binding: binding(person)))
      guard let path = Path(local: try reader.string()) else { return nil }
      var fields = Fields()
      while !reader.isAtEnd { fields.append(try reader.string(), try reader.string()) }
      return Content(path: path, fields: fields)
    } catch is UnsealingError {
      // The form was sealed with another key or for another person.
      return nil
    }
  }

  private func binding(_ person: ID<Person>) -> [UInt8] { Array("person:\(person)".utf8) }
}
