import PolyclinicCore

/// The result of the reception's search for a patient: the people found.
///
/// The words are sent in a form. The address of the result has the words and the numbers of the
/// people, sealed with the receptionist's key. So no name or telephone number is readable in the
/// browser's history or in a log, and nobody is opened by a number that was made up. The
/// receptionist can go back to the result, and add a word to the search.
struct PatientSearch {
  /// The words as they were typed; empty if the address has none that this receptionist typed
  /// today.
  let typed: String
  private let people: [ID<Person>]
  /// True if more people match.
  let isCut: Bool
  /// True if nobody has the name as it was typed, and these people have similar ones.
  let isSimilar: Bool

  /// The maximum number of people in an address.
  private static let most = 10

  /// Reads the query of an address; nil if it has no result. Throws ``Refusal/gone(_:)`` if it has
  /// one that is not of this receptionist and of today.
  init?(_ query: Fields, _ context: Context) throws {
    guard query.contains("found") else { return nil }
    guard let found = try SealedSearchValue.found.open(query["found"], context) else {
      throw Refusal.gone("reception.search.over")
    }
    typed = try SealedSearchValue.words.open(query["words"], context) ?? ""
    people = found.split(separator: ",").prefix(Self.most).compactMap {
      ID<Person>(String($0))
    }
    isCut = query["more"] == "1"
    isSimilar = query["similar"] == "1"
  }

  /// Returns the people with their details. Uses a write transaction, because each person's access
  /// log gets an entry.
  func patients(_ context: Context) throws -> [Portal.FoundPerson] {
    try Self.told(people, context)
  }

  private static func told(
    _ people: [ID<Person>], _ context: Context
  ) throws -> [Portal.FoundPerson] {
    if people.isEmpty { return [] }
    return try context.write { context in
      try people.compactMap {
        try context.portal.people.found($0, for: .reception, in: context)
      }
    }
  }

  /// Searches, and leads to the page with the people found.
  ///
  /// The search reads the name of every person, so it runs outside the write transaction. That only
  /// adds the entries to the access logs, even if the receptionist's browser does not follow to the
  /// page.
  static func run(_ context: Context) throws -> Response {
    let sent = context.request.fields
    let typed = sent["q"]
    var query = sent.beforePatient
    if typed.isEmpty {
      if !query.pairs.isEmpty { query.append("search", "1") }
      return .redirect(to: PatientSearchPage.path.query(query))
    }
    let directory = context.portal.people
    var found = try directory.search(typed, for: .reception, in: context)
    if found.people.isEmpty {
      found = try directory.searchSimilar(to: typed, for: .reception, in: context)
      if !found.people.isEmpty { query.append("similar", "1") }
    }
    let people = try told(found.people, context).map(\.person.description)
    query.append("found", try SealedSearchValue.found.seal(people.joined(separator: ","), context))
    if found.isCut { query.append("more", "1") }
    query.append("words", try SealedSearchValue.words.seal(typed, context))
    return .redirect(to: PatientSearchPage.path.query(query))
  }
}
