import PolyclinicCore

/// Carries a form that was sent after its session had ended through the sign-in page, so that
/// nothing typed is lost and nobody but its sender sees it again.
///
/// It is sealed for the person in whose session the form was opened: another who signs in gets nothing.
struct Carrier: Sendable {
  /// More than this is not carried: it would not fit into a form's field.
  static let limit = 100_000

  private let cipher: AESCipher

  init(_ vault: Vault) throws { cipher = try AESCipher(vault.derived("carried-forms")) }

  /// A form on its way.
  struct Load: Equatable {
    let path: Path
    let fields: Fields
  }

  /// The form in a text that a hidden field holds; nil when it is too large.
  func seal(_ load: Load, for person: ID<Person>) throws -> String? {
    var bytes = ByteWriter()
    bytes.write(load.path.description)
    for pair in load.fields.pairs {
      bytes.write(pair.name)
      bytes.write(pair.value)
    }
    guard bytes.bytes.count <= Self.limit else { return nil }
    return Base64.url.text(try cipher.seal(bytes.bytes, binding: binding(person)))
  }

  /// The form that was sealed for this person; nil for another's, and if it is not a form at all.
  func open(_ text: String, for person: ID<Person>) throws -> Load? {
    guard let sealed = Base64.url.decoded(text.utf8) else { return nil }
    do {
      var reader = ByteReader(try cipher.open(sealed, binding: binding(person)))
      guard let path = Path(local: try reader.string()) else { return nil }
      var fields = Fields()
      while !reader.isAtEnd { fields.append(try reader.string(), try reader.string()) }
      return Load(path: path, fields: fields)
    } catch is UnsealingError {
      // Made by another key or for another person: to this visitor there is no such form.
      return nil
    }
  }

  private func binding(_ person: ID<Person>) -> [UInt8] { Array("person:\(person)".utf8) }
}
