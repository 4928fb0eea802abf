import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Contacts

extension TestVisitor {
  /// Creates a contact through the form and returns its path.
  func add(_ name: String, _ fields: [String: String] = [:]) throws -> String {
    let answer = try submit("/contacts/new", fields.merging(["name": name]) { $1 })
    try #require(answer.status == 303 && answer.location.hasPrefix("/contacts/"))
    return answer.location
  }

  /// Returns the names on a page of the list, in order.
  func names(on page: String = "/contacts") -> [String] {
    get(page).body.split(separator: "<strong><bdi>").dropFirst().map {
      String($0.prefix { $0 != "<" })
    }
  }
}

extension Contact {
  /// Creates a contact with only a name.
  init(named name: String) {
    self.init()
    self.name = name
  }
}

extension TestPortal {
  /// Stores many contacts at once, without the form.
  func fill(_ visitor: TestVisitor, names: [String]) throws {
    let keys = try keys(of: visitor)
    try write { connection in
      for name in names {
        let contact = Contact(named: name)
        _ = try Contact.records.insert(contact, in: connection.with(keys).at(now))
      }
    }
  }

  /// Returns the names in the person's index, in order.
  func index(of visitor: TestVisitor) throws -> [String] {
    let keys = try keys(of: visitor)
    var names: [String] = []
    try read { connection in
      try Contact.index.forEach(in: connection.with(keys)) { names.append($0.name.string) }
    }
    return names
  }

  func count(_ statement: SQL) throws -> Int {
    try read { try $0.integer(statement) ?? 0 }
  }
}

/// Returns `count` distinct names in a scattered order that is the same in each run.
func scatteredNames(_ count: Int) -> [String] {
  var state: UInt64 = 42
  return (0..<count).map { number in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return "name \(String(state >> 40, radix: 36)) \(number)"
  }
}

extension VCardReader {
  /// Returns all cards of a file, whole and broken.
  static func cards(of file: [UInt8]) throws -> [FoundCard] {
    var reader = VCardReader(file)
    var found: [FoundCard] = []
    while let card = try reader.next() { found.append(card) }
    return found
  }
}
