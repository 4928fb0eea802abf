import PolyclinicCore

/// The clinic that somebody goes to: one at most.
enum ChosenClinic {
  /// The clinic that a person has chosen, closed or not; nil when none was.
  static func find(of person: ID<Person>, on connection: Connection) throws -> ID<Clinic>? {
    try connection.row(
      "SELECT clinic FROM appointments_chosen_clinics WHERE person = \(person)"
    ) { $0.id(0) }
  }

  /// Chooses it in place of another.
  static func store(
    _ clinic: ID<Clinic>, of person: ID<Person>, on connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO appointments_chosen_clinics (person, clinic) VALUES (\(person), \(clinic))
      ON CONFLICT (person) DO UPDATE SET clinic = excluded.clinic
      """)
  }

  static func remove(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM appointments_chosen_clinics WHERE person = \(person)")
  }

  /// Writes the choice into the person's copy of all data.
  @Sendable
  static func export(_ keys: Keys, _ connection: Connection, _ copy: JSONWriter) throws {
    let clinic = try find(of: keys.person, on: connection).flatMap {
      try Clinic.find($0, on: connection)
    }
    try copy.write("clinic", clinic.map { .string($0.name.string(in: .english)) } ?? nil)
  }
}

/// The choice of one's clinic in registration and profile.
struct ClinicProfilePart: ProfilePart {
  struct Draft: Sendable {
    /// The clinic's number; empty for none.
    var clinic = ""
  }

  var title: Text { "my-clinic.title" }

  let form = Form(
    Draft(), .choice(\.clinic, "clinic", hint: "field.clinic.hint", options: choices))

  func load(by keys: Keys, on connection: Connection) throws -> Draft {
    let chosen = try ChosenClinic.find(of: keys.person, on: connection)
    return Draft(clinic: chosen?.description ?? "")
  }

  func save(_ draft: Draft, by keys: Keys, on connection: Connection) throws {
    if draft.clinic.isEmpty { return try ChosenClinic.remove(of: keys.person, on: connection) }
    // It was on offer a moment ago; whatever has gone since cannot be chosen.
    guard let id = ID<Clinic>(draft.clinic), let clinic = try Clinic.find(id, on: connection)
    else { throw Refusal.invalid("clinic", "error.choice") }
    let chosen = try ChosenClinic.find(of: keys.person, on: connection)
    guard clinic.closedAt == nil || chosen == id else {
      throw Refusal.invalid("clinic", "clinic.closed.choice")
    }
    try ChosenClinic.store(id, of: keys.person, on: connection)
  }

  /// The open clinics by name, and the one that was chosen before it closed.
  @Sendable
  private static func choices(_ context: Context) throws -> [Choice] {
    try context.database.read { connection in
      let person = context.visitor?.person
      let chosen = try person.flatMap { try ChosenClinic.find(of: $0, on: connection) }
      let closed = try chosen.flatMap { try Clinic.find($0, on: connection) }
        .flatMap { $0.closedAt == nil ? nil : $0 }
      let open = try FoundClinic.all(from: nil, on: connection).byName(in: context.language)
      return (open.map(\.clinic) + (closed.map { [$0] } ?? [])).map { clinic in
        let name = clinic.name.string(in: context.language)
        let place = clinic.address.city.isEmpty ? name : "\(name), \(clinic.address.city)"
        // Said by its key: the words are asked for on a page of another module.
        let label: Choice.Label =
          clinic.closedAt == nil
          ? .verbatim(place) : .text(Text("field.clinic.closed", ["name": place]))
        return Choice(clinic.id.description, label)
      }
    }
  }
}
