/// The translations of a module, from JSON files that are built into it.
///
/// A file is one JSON object:
///
/// - `"list.title": "Contacts"` is a phrase.
/// - `"list.count": {"one": "{count} contact", "other": "{count} contacts"}` has one form for each
///   plural category, exactly those of `Plural.categories(of:)`.
/// - `{name}` is a placeholder. `{count}` is the number, formatted in the language.
///
/// Files are parsed only when a `Phrasebook` is created.
public struct Catalog: Sendable, Equatable {
  private var files: Translations<[[UInt8]]>

  /// Creates a catalog from JSON files; a language split by page has several.
  public init(en: [[UInt8]] = [], ru: [[UInt8]] = [], he: [[UInt8]] = []) {
    files = Translations(english: en, russian: ru, hebrew: he)
  }

  /// Joins the files of two catalogs; parsing throws a `CatalogError` if both define the same
  /// key.
  public static func + (one: Catalog, other: Catalog) -> Catalog {
    Catalog(
      en: one.files.english + other.files.english, ru: one.files.russian + other.files.russian,
      he: one.files.hebrew + other.files.hebrew)
  }

  /// Parses the files and returns all phrases of a language by key; throws a `CatalogError`.
  func phrases(in language: Language) throws(CatalogError) -> [String: Phrase] {
    var phrases: [String: Phrase] = [:]
    for (index, bytes) in files[language].enumerated() {
      func fault(at offset: Int, _ key: String?, _ reason: String) -> CatalogError {
        let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
        return CatalogError(
          language: language, file: index + 1, line: line, key: key, reason: reason)
      }
      let json: JSON
      do { json = try JSON(reading: bytes, valueLimit: .max) } catch {
        throw fault(at: error.offset, nil, error.reason)
      }
      guard case .object(let members) = json else { throw fault(at: 0, nil, "“{” is missing") }
      for member in members {
        do throws(PhraseFault) {
          guard Self.isKey(member.name) else { throw PhraseFault.key }
          guard phrases[member.name] == nil else { throw PhraseFault.repeatedKey }
          phrases[member.name] = try Phrase(member.value, in: language)
        } catch {
          let offset = Self.offset(of: member.name, in: bytes)
          throw fault(at: offset, member.name, error.description)
        }
      }
    }
    return phrases
  }

  /// Returns the place of a key in a file, which a key's name in quotation marks and “:” makes.
  private static func offset(of key: String, in bytes: [UInt8]) -> Int {
    let name = Array("\"\(key)\"".utf8)
    return bytes.indices.first { place in
      let rest = bytes[place...]
      return rest.starts(with: name)
        && rest.dropFirst(name.count).first { $0 > 0x20 } == UInt8(ascii: ":")
    } ?? 0
  }

  private static func isKey(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }
}

/// An error in a catalog's file, with its position.
package struct CatalogError: Error, Equatable, CustomStringConvertible {
  /// The language of the file.
  package let language: Language
  /// The number of the file among the language's files in the catalog, from 1.
  package let file: Int
  /// The line in the file, from 1.
  package let line: Int
  /// The key of the faulty phrase; nil if the error is not in a phrase.
  package let key: String?
  /// The error and the expected content.
  package let reason: String

  /// Language, file, line, key and reason, in one sentence.
  package var description: String {
    let place = "catalog “\(language.code)”, file \(file), line \(line)"
    return key.map { "\(place), “\($0)”: \(reason)" } ?? "\(place): \(reason)"
  }
}

/// One value for each language, accessed without a dictionary lookup.
struct Translations<Value: Sendable>: Sendable {
  var english: Value
  var russian: Value
  var hebrew: Value

  subscript(language: Language) -> Value {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }
}

extension Translations: Equatable where Value: Equatable {}
