@testable import PolyclinicCore

/// A draft with a field of every kind.
struct Entry: Resealable, Equatable {
  var name = ""
  var notes = ""
  var email = ""
  var phone = ""
  var day: CalendarDate?
  var kind = Kind.first
  var city = ""
  var agreed = false
  var password = ""
  var address = Address()
  var ways: [Way] = []
  var unknown = Sealed.UnknownFields()

  enum Kind: String, CaseIterable, Sendable { case first, second }

  struct Address: Sendable, Equatable {
    var street = ""
    var house = ""
  }

  struct Way: Resealable, Equatable {
    var type = Kind.first
    var value = ""
    var unknown = Sealed.UnknownFields()

    enum Kind: String, CaseIterable, Sendable { case first, second }
  }
}

extension Entry {
  static let form = Form(
    Entry(),
    .text(\.name, "name", required: true, limit: 5) { $0 == "nobody" ? "error.nobody" : nil },
    .lines(\.notes, "notes", limit: 20),
    .email(\.email, "email"),
    .telephone(\.phone, "phone"),
    .date(\.day, "day"),
    .choice(\.kind, "kind"),
    .choice(\.city, "city") { _ in [Choice("minsk", .verbatim("Minsk"))] },
    .section("section", .part(\.address, Address.form)),
    .check(\.agreed, "agreed", required: true),
    .password(\.password, "password", autocomplete: "new-password"),
    .rows(\.ways, "way", limit: 3, of: Way.form))

  /// A valid submission.
  static let sent = Fields([
    "name": "Anna", "kind": "first", "agreed": "yes", "password": "secret",
  ])
}

extension Entry.Address {
  static let form = Form(
    Entry.Address(), .text(\.street, "street"), .text(\.house, "house")
  ).requiring("house") { $0.street.isEmpty || !$0.house.isEmpty ? nil : "error.house" }
}

extension Entry.Way {
  static let form = Form(
    Entry.Way(), .choice(\.type, "type"), .text(\.value, "value", required: true, limit: 5)
  ).requiring("value") { $0.value == "bad" ? "error.bad" : nil }
}

extension Form {
  /// Reads a submission over the given or the blank draft.
  func take(_ sent: Fields, over base: Draft? = nil) throws -> (
    draft: Draft, problems: [Fields.Problem]
  ) {
    try read(try normalized(sent), over: base ?? blank)
  }
}

extension Fields {
  /// Returns these fields, with those of the given names replaced.
  func with(_ changes: KeyValuePairs<String, String>) -> Fields {
    var fields = without(Set(changes.map(\.key)))
    for (name, value) in changes { fields.append(name, value) }
    return fields
  }
}
