import PolyclinicCore
import PolyclinicVault

/// The description of a person by a caller at the reception: words of the name, digits of the
/// telephone number, or the birth date.
struct PersonSearch {
  /// The maximum number of people that a search returns.
  static let most = 10
  /// The number of digits that a telephone number is found by.
  private static let digits = 4
  /// The number of letters that a name is found by.
  private static let letters = 2
  /// The number of people a minute whom one visitor may open without having opened them in that
  /// hour. A reception that enters a new patient each minute opens fewer.
  static let openedPerMinute = 60

  /// The fewest digits of a telephone number without its trunk prefix.
  private static let nationalDigits = 7

  /// The birth date; two dates if the year was typed with two digits; none if no date was typed.
  private let birthDates: [CalendarDate]
  private let query: SearchText.Query
  /// The query with the telephone number without its trunk prefix, because profiles hold the
  /// international form; nil if no number of that length was typed.
  private let international: SearchText.Query?

  init(_ typed: String) {
    let words = typed.unicodeScalars.prefix(200).split { $0.properties.isWhitespace }
      .map { String(String.UnicodeScalarView($0)) }
    let written = WrittenDate(in: words)
    birthDates = written.dates
    query = SearchText.Query(written.rest.joined(separator: " "))
    let names = written.rest.filter { $0.contains(where: \.isLetter) }
    international = query.digits.flatMap(Self.withoutTrunkPrefix).map {
      SearchText.Query((names + [$0]).joined(separator: " "))
    }
  }

  /// Returns the digits of a number that is dialled within a country, such as 80 17… for +375 17…,
  /// without the prefix; nil if it has none.
  private static func withoutTrunkPrefix(_ digits: [UInt8]) -> String? {
    guard let prefix = ["80", "8", "0"].first(where: { digits.starts(with: $0.utf8) }) else {
      return nil
    }
    let rest = digits.dropFirst(prefix.utf8.count)
    return rest.count < nationalDigits ? nil : String(decoding: rest, as: UTF8.self)
  }

  /// True if the query is too short to identify anybody.
  var isEmpty: Bool {
    birthDates.isEmpty && (query.digits?.count ?? 0) < Self.digits
      && !query.words.contains(where: Self.isLongEnough)
  }

  private static func isLongEnough(_ word: [UInt8]) -> Bool {
    String(decoding: word, as: UTF8.self).count(where: \.isLetter) >= letters
  }

  /// True if names alone decide, so that no profile needs to be opened.
  var isNameOnly: Bool { birthDates.isEmpty && query.digits == nil }

  func matches(_ name: SearchText) -> Bool { query.matches(name) }

  func matches(_ name: SearchText, _ keys: Keys, on connection: Connection) throws -> Bool {
    if isNameOnly { return matches(name) }
    return try Profile.find(by: keys, on: connection).map(matches) ?? false
  }

  /// Returns searches for the names that are most similar to the words; none if they are not only
  /// names.
  func corrections(from names: [SearchText]) -> [PersonSearch] {
    if !isNameOnly || isEmpty { return [] }
    return query.corrections(from: names, limit: Self.most).map { PersonSearch($0) }
  }

  func matches(_ profile: Profile) -> Bool {
    if !birthDates.isEmpty, !birthDates.contains(where: { $0 == profile.birthDate }) {
      return false
    }
    if query.isEmpty { return true }
    let digits = profile.phone.utf8.filter(Self.isDigit)
    let name = SearchText(profile.displayName)
    return query.matches(name, joinedDigits: digits[...])
      || international?.matches(name, joinedDigits: digits[...]) == true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension AccountDirectory {
  func search(
    _ typed: String, for reason: AccessReason, in work: Work
  ) throws -> Portal.FoundPeople {
    try check(reason, in: work)
    let search = PersonSearch(typed)
    let exact = try Account.find(typed, vault, on: work)?.person
    if search.isEmpty && exact == nil { return Portal.FoundPeople([], isCut: false) }
    var found: [Named] = []
    try forEachName(on: work) { name, keys in
      let isFound =
        try keys.person == exact
        || !search.isEmpty && search.matches(name, keys, on: work)
      if isFound { found.append((name, keys.person)) }
    }
    return Self.result(found)
  }

  func searchSimilar(
    to typed: String, for reason: AccessReason, in work: Work
  ) throws -> Portal.FoundPeople {
    try check(reason, in: work)
    var people: [Named] = []
    try forEachName(on: work) { people.append(($0, $1.person)) }
    let corrections = PersonSearch(typed).corrections(from: people.map(\.name))
    return Self.result(
      people.filter { one in corrections.contains { $0.matches(one.name) } })
  }

  private typealias Named = (name: SearchText, person: ID<Person>)

  /// Calls `body` with the name and the keys of every person with a profile.
  private func forEachName(
    on connection: Connection, _ body: (SearchText, Keys) throws -> Void
  ) throws {
    try connection.forEach(
      """
      SELECT id_person, wrapped_key, erasure_id, sealed_name FROM people
      JOIN profiles ON person = id_person
      """
    ) { row in
      let keys = try vault.keys(of: row.id(0), wrapped: row.bytes(1), erasureID: row.bytes(2))
      try body(SearchText(Profile.openName(row.sealed(3), by: keys)), keys)
    }
  }

  /// Returns the first of the people by name.
  private static func result(_ found: [Named]) -> Portal.FoundPeople {
    let sorted = found.sorted { ($0.name, $0.person) < ($1.name, $1.person) }
    return Portal.FoundPeople(
      sorted.prefix(PersonSearch.most).map(\.person), isCut: found.count > PersonSearch.most)
  }

  func found(
    _ person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> Portal.FoundPerson? {
    let visitor = try check(reason, in: work)
    guard let keys = try keyStore.unloggedKeys(of: person, on: work) else { return nil }
    if person != visitor.person {
      let opened = try AccessLog.record(
        [keys], for: reason, reading: AccountDirectory.viewedName, in: work)
      let rate = SharedRate(
        name: "opened", perMinute: PersonSearch.openedPerMinute, vault: vault)
      if opened > 0,
        let wait = try rate.take(opened, of: visitor.person.description, in: work)
      {
        throw Refusal.tooMany(retryAfter: wait)
      }
    }
    return try Profile.find(by: keys, on: work).map { profile in
      let digits = profile.phone.filter { $0.isASCII && $0.isNumber }
      return Portal.FoundPerson(
        Portal.NamedPerson(person: person, name: profile.displayName),
        birthDate: profile.birthDate, phoneEnding: String(digits.suffix(4)))
    }
  }
}
