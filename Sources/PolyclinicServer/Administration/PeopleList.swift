import PolyclinicCore

/// People as an administrator sees them; whoever's name is opened reads of it in the access log.
struct PeopleList {
  /// Somebody, with an account or without.
  struct Entry {
    let person: ID<Person>
    let account: Account?
    let profile: Profile

    /// The name with what tells people of one name apart: the login, else the number.
    var called: String {
      "\(profile.displayName) (\(profile.login.isEmpty ? person.description : profile.login))"
    }
  }

  /// Those on the page.
  let entries: [Entry]
  let slice: Pagination
}

/// All of it is to be called in a `write`: what is opened is recorded in its transaction.
extension PeopleList {
  /// One page of the people found, those with a role that waits first.
  ///
  /// Nothing asked for: the latest to come first, and only those on the page are opened. Words:
  /// everybody's name is opened, and recorded. A login or an e-mail is found whole, by its HMAC: an
  /// e-mail opens nobody else.
  static func find(
    _ typed: String, page: Int, _ context: Context, on connection: Connection
  ) throws -> PeopleList {
    let query = SearchQuery(typed)
    if query.isEmpty { return try newest(page, context, on: connection) }
    let vault = try context.front().vault
    let exact = try connection.rows(
      """
      SELECT person FROM accounts WHERE login_hash = \(Account.loginHash(typed, vault))
        OR email_hash = \(Account.emailHash(typed, vault))
      ORDER BY wanted_role = '', person DESC
      """
    ) { row -> ID<Person> in row.id(0) }
    if typed.contains("@") {
      let slice = Pagination(page: page, total: exact.count)
      let shown = Array(exact[slice.range])
      return try list(shown, keys(of: shown, context, on: connection), slice, on: connection)
    }
    return try named(query, or: Set(exact), page, context, on: connection)
  }

  /// Somebody by id; throws ``Refusal/notFound`` when nobody has it.
  static func entry(
    of person: ID<Person>, _ context: Context, on connection: Connection
  ) throws -> Entry {
    let keys = try keys(of: [person], context, on: connection)
    guard let entry = try entry(of: person, by: keys, on: connection) else {
      throw Refusal.notFound
    }
    return entry
  }

  /// People's names; whoever has no profile has none.
  static func names(
    of people: Set<ID<Person>>, _ context: Context, on connection: Connection
  ) throws -> [ID<Person>: String] {
    var names: [ID<Person>: String] = [:]
    for (person, keys) in try keys(of: people.sorted(), context, on: connection) {
      names[person] = try Profile.name(by: keys, on: connection)
    }
    return names
  }
}

extension PeopleList {
  private static func newest(
    _ page: Int, _ context: Context, on connection: Connection
  ) throws -> PeopleList {
    let total = try connection.integer("SELECT count(*) FROM people") ?? 0
    let slice = Pagination(page: page, total: total)
    let people = try connection.rows(
      """
      SELECT id_person FROM people LEFT JOIN accounts ON person = id_person
      ORDER BY coalesce(wanted_role, '') = '', id_person DESC
      LIMIT \(slice.range.count) OFFSET \(slice.range.lowerBound)
      """
    ) { row -> ID<Person> in row.id(0) }
    return try list(people, keys(of: people, context, on: connection), slice, on: connection)
  }

  /// Those whose name has the words, by name.
  private static func named(
    _ query: SearchQuery, or exact: Set<ID<Person>>, _ page: Int, _ context: Context,
    on connection: Connection
  ) throws -> PeopleList {
    let rows = try connection.rows(
      """
      SELECT person, coalesce(wanted_role, ''), sealed_name
      FROM profiles LEFT JOIN accounts USING (person)
      """
    ) { row -> (person: ID<Person>, waits: Bool, name: Sealed) in
      (row.id(0), !row.string(1).isEmpty, row.sealed(2))
    }
    let keys = try keys(of: rows.map(\.person), context, on: connection)
    var found: [(person: ID<Person>, waits: Bool, name: SearchText)] = []
    for row in rows {
      guard let keys = keys[row.person] else { continue }
      let name = SearchText(try Profile.openName(row.name, by: keys))
      if exact.contains(row.person) || query.matches(name) {
        found.append((row.person, row.waits, name))
      }
    }
    found.sort { $0.waits == $1.waits ? $0.name < $1.name : $0.waits }
    let slice = Pagination(page: page, total: found.count)
    return try list(found[slice.range].map(\.person), keys, slice, on: connection)
  }

  private static func list(
    _ people: [ID<Person>], _ keys: [ID<Person>: Keys], _ slice: Pagination,
    on connection: Connection
  ) throws -> PeopleList {
    PeopleList(
      entries: try people.compactMap { try entry(of: $0, by: keys, on: connection) }, slice: slice)
  }

  private static func entry(
    of person: ID<Person>, by keys: [ID<Person>: Keys], on connection: Connection
  ) throws -> Entry? {
    guard let keys = keys[person], let profile = try Profile.find(by: keys, on: connection)
    else { return nil }
    return Entry(
      person: person, account: try Account.find(person, on: connection), profile: profile)
  }

  private static func keys(
    of people: [ID<Person>], _ context: Context, on connection: Connection
  ) throws -> [ID<Person>: Keys] {
    try context.portal.keys(
      of: people, for: .administration, asking: context.signedIn(), on: connection)
  }
}
