import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// A page of people for administrators. Each person whose name is decrypted sees it in their access
/// log, so that all functions need a write transaction.
struct PeopleList {
  /// A person, with or without an account.
  struct Entry {
    let person: ID<Person>
    let account: Account?
    let profile: Profile

    /// The name with the login in parentheses, or with the person's number if there is no login. It
    /// distinguishes people of the same name.
    var called: String {
      "\(profile.displayName) (\(profile.login.isEmpty ? person.description : profile.login))"
    }
  }

  /// The people on the page.
  let entries: [Entry]
  let slice: Page.Pagination

  /// Returns a person by id. Throws ``Refusal/notFound`` if there is none.
  static func entry(of person: ID<Person>, _ context: Context) throws -> Entry {
    let found = try entries(of: [person], keys(of: [person], context), context)
    guard let entry = found.first else { throw Refusal.notFound }
    return entry
  }

  /// Returns people's names. People without a profile are left out.
  static func names(of people: Set<ID<Person>>, _ context: Context) throws -> [ID<Person>: String] {
    var names: [ID<Person>: String] = [:]
    for (person, keys) in try keys(of: people.sorted(), context) {
      names[person] = try Profile.name(by: keys, on: context)
    }
    return names
  }

  fileprivate static func entries(
    of people: [ID<Person>], _ keys: [ID<Person>: Keys], _ context: Context
  ) throws -> [Entry] {
    let profiles = try Profile.all(of: people.compactMap { keys[$0] }, on: context)
    let accounts = try Account.all(of: people, on: context)
    return people.compactMap { person in
      profiles[person].map { Entry(person: person, account: accounts[person], profile: $0) }
    }
  }

  fileprivate static func keys(
    of people: [ID<Person>], _ context: Context
  ) throws -> [ID<Person>: Keys] {
    try context.portal.keyHolder.keys(
      of: people, for: .administration,
      reading: Text("access.viewed.account").spoken(by: "account"), in: context)
  }
}

/// The people whom an administrator looks for, and their order in the list.
struct PeopleFilter {
  /// Words of a name, or a whole login or e-mail.
  let words: String
  /// The role that the people have; nil for any.
  let role: Role?
  /// The state of their accounts; nil for any.
  let state: State?
  let order: Order
  /// The number of the page.
  private let page: Int

  /// A state of an account that the list can be filtered by.
  enum State: String, CaseIterable {
    case waiting, active, suspended
    /// People without an account.
    case none = "no-account"

    fileprivate var condition: SQL {
      switch self {
      case .waiting: "coalesce(wanted_role, '') <> ''"
      case .active: "state = 'active'"
      case .suspended: "state = 'suspended'"
      case .none: "accounts.person IS NULL"
      }
    }
  }

  /// The order of the list. People who wait for a role come first in both.
  enum Order: String, CaseIterable {
    case newest, name
  }

  /// Reads the filter from the query of the list.
  init(_ query: Fields) {
    words = query["q"]
    role = Role(rawValue: query["role"])
    state = State(rawValue: query["state"])
    order = Order(rawValue: query["order"]) ?? .newest
    page = query.page
  }

  /// Returns the path of a page of the list.
  func path(page: Int) -> Path {
    var fields = Fields()
    for (name, value) in [
      ("q", words), ("role", role?.rawValue ?? ""), ("state", state?.rawValue ?? ""),
      ("order", order == .newest ? "" : order.rawValue),
    ] where !value.isEmpty { fields.append(name, value) }
    fields.append("page", String(page))
    return PeoplePage.path.query(fields)
  }
}

extension PeopleFilter {
  /// Returns one page of matching people, those who wait for a role first.
  ///
  /// - Without words, and in the order of registration, it decrypts only the people on the page.
  /// - Words, and the order of names, decrypt the names of all people with the role and the state,
  ///   and all of them see it in their access log.
  /// - A login or e-mail is also found as a whole, by its HMAC. An e-mail decrypts no other
  ///   person's data.
  func people(_ context: Context) throws -> PeopleList {
    let query = SearchText.Query(words)
    if query.isEmpty {
      return order == .newest ? try newest(context) : try named(query, or: [], context)
    }
    let vault = context.server.vault
    let exact = try context.rows(
      """
      SELECT person FROM accounts
      WHERE (login_hash = \(Account.loginHash(words, vault))
        OR email_hash = \(Account.emailHash(words, vault))) AND \(condition)
      ORDER BY wanted_role = '', person DESC
      """
    ) { row -> ID<Person> in row.id(0) }
    guard words.contains("@") else { return try named(query, or: Set(exact), context) }
    let slice = Page.Pagination(page: page, total: exact.count)
    return try list(Array(exact[slice.range]), slice, context)
  }

  /// The condition of role and state, for a query of accounts.
  private var condition: SQL {
    guard let role, role != .patient else { return state?.condition ?? "1 = 1" }
    let hasRole: SQL = "',' || coalesce(roles, '') || ',' LIKE '%,' || \(role.rawValue) || ',%'"
    return "\(hasRole) AND \(state?.condition ?? "1 = 1")"
  }

  private func newest(_ context: Context) throws -> PeopleList {
    let total =
      try context.integer(
        """
        SELECT count(*) FROM people LEFT JOIN accounts ON person = id_person
        WHERE \(condition)
        """) ?? 0
    let slice = Page.Pagination(page: page, total: total)
    let people = try context.rows(
      """
      SELECT id_person FROM people LEFT JOIN accounts ON person = id_person
      WHERE \(condition)
      ORDER BY coalesce(wanted_role, '') = '', id_person DESC
      LIMIT \(slice.range.count) OFFSET \(slice.range.lowerBound)
      """
    ) { row -> ID<Person> in row.id(0) }
    return try list(people, slice, context)
  }

  private func list(
    _ people: [ID<Person>], _ slice: Page.Pagination, _ context: Context
  ) throws -> PeopleList {
    let keys = try PeopleList.keys(of: people, context)
    return PeopleList(entries: try PeopleList.entries(of: people, keys, context), slice: slice)
  }

  /// Returns people whose name contains the words, sorted by name.
  private func named(
    _ query: SearchText.Query, or exact: Set<ID<Person>>, _ context: Context
  ) throws -> PeopleList {
    let rows = try context.rows(
      """
      SELECT profiles.person, coalesce(wanted_role, ''), sealed_name
      FROM profiles LEFT JOIN accounts ON accounts.person = profiles.person
      WHERE \(condition) ORDER BY profiles.person
      """
    ) { row -> (person: ID<Person>, waits: Bool, name: Sealed) in
      (row.id(0), !row.string(1).isEmpty, row.sealed(2))
    }
    let keys = try PeopleList.keys(of: rows.map(\.person), context)
    var found: [(person: ID<Person>, waits: Bool, name: SearchText)] = []
    for row in rows {
      guard let keys = keys[row.person] else { continue }
      let name = SearchText(try Profile.openName(row.name, by: keys))
      if query.isEmpty || exact.contains(row.person) || query.matches(name) {
        found.append((row.person, row.waits, name))
      }
    }
    found.sort { $0.waits == $1.waits ? $0.name < $1.name : $0.waits }
    let slice = Page.Pagination(page: page, total: found.count)
    let shown = found[slice.range].map(\.person)
    return PeopleList(entries: try PeopleList.entries(of: shown, keys, context), slice: slice)
  }
}
