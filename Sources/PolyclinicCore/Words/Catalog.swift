/// The words of a module in each language, as the JSON files that are built into it.
///
/// A file is an object: `"list.title": "Contacts"`, or, where a number selects the form,
/// `"list.count": {"one": "{count} contact", "other": "{count} contacts"}` with exactly the
/// categories of ``Plural/categories(of:)``. Values stand in braces: `{name}`; `{count}` is the
/// number itself, written as the language writes numbers. Nothing is read before a ``Phrasebook``
/// is made.
public struct Catalog: Sendable {
  private var files: Translations<[[UInt8]]>

  /// The contents of JSON files, several for each language where they are split by page.
  public init(en: [[UInt8]] = [], ru: [[UInt8]] = [], he: [[UInt8]] = []) {
    files = Translations(english: en, russian: ru, hebrew: he)
  }

  /// The files of both; a key that both have is a ``CatalogError`` when they are read.
  public static func + (one: Catalog, other: Catalog) -> Catalog {
    Catalog(
      en: one.files.english + other.files.english, ru: one.files.russian + other.files.russian,
      he: one.files.hebrew + other.files.hebrew)
  }

  /// All phrases of a language by key.
  func phrases(in language: Language) throws(CatalogError) -> [String: Phrase] {
    var phrases: [String: Phrase] = [:]
    for (index, bytes) in files[language].enumerated() {
      func fault(_ line: Int, _ key: String?, _ reason: String) -> CatalogError {
        CatalogError(language: language, file: index + 1, line: line, key: key, reason: reason)
      }
      let entries: [CatalogReader.Entry<CatalogReader.Value>]
      do { entries = try CatalogReader.entries(of: bytes) } catch {
        throw fault(error.line, nil, error.reason)
      }
      for entry in entries {
        guard Self.isKey(entry.key) else {
          throw fault(entry.line, entry.key, "a key is letters, digits, “.”, “-” and “_”")
        }
        guard phrases[entry.key] == nil else {
          throw fault(entry.line, entry.key, "the key is there twice")
        }
        do { phrases[entry.key] = try Phrase(entry.value, in: language) } catch {
          throw fault(entry.line, entry.key, error.description)
        }
      }
    }
    return phrases
  }

  private static func isKey(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }
}

/// What is wrong in a catalog's file, and where.
public struct CatalogError: Error, Equatable, CustomStringConvertible {
  /// The language of the file.
  public let language: Language
  /// Which of the language's files in the order of the catalog, from 1.
  public let file: Int
  /// Where in the file, from 1.
  public let line: Int
  /// The phrase, where the fault is in one.
  public let key: String?
  /// What is wrong, and what would be right.
  public let reason: String

  /// Language, file, line, key and reason, in one sentence.
  public var description: String {
    let place = "catalog “\(language.code)”, file \(file), line \(line)"
    return key.map { "\(place), “\($0)”: \(reason)" } ?? "\(place): \(reason)"
  }
}

/// One value for each language, read without a search.
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
