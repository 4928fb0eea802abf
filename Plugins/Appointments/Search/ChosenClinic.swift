import PolyclinicCore

/// The clinic that a person has chosen, at most one.
enum ChosenClinic {
  /// Returns the clinic that a person has chosen, open or closed; nil if there is none.
  static func find(of person: ID<Person>, in work: Work) throws -> ID<Clinic>? {
    try work.row(
      "SELECT clinic FROM appointments_chosen_clinics WHERE person = \(person)"
    ) { $0.id(0) }
  }

  /// Stores the choice in place of an earlier one.
  static func store(
    _ clinic: ID<Clinic>, of person: ID<Person>, in work: Work
  ) throws {
    try work.run(
      """
      INSERT INTO appointments_chosen_clinics (person, clinic) VALUES (\(person), \(clinic))
      ON CONFLICT (person) DO UPDATE SET clinic = excluded.clinic
      """)
  }

  static func remove(of person: ID<Person>, in work: Work) throws {
    try work.run("DELETE FROM appointments_chosen_clinics WHERE person = \(person)")
  }

  /// Writes the choice into the person's export of all data.
  @Sendable
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    let clinic = try find(of: work.keys.person, in: work).flatMap {
      try Clinic.find($0, in: work)
    }
    try copy.write("clinic", clinic.map { .string($0.name.string(in: .english)) } ?? nil)
  }
}

/// The choice of a clinic at registration and in the profile.
struct ClinicProfilePart: ProfilePart {
  struct Draft: Sendable {
    /// The ID of the clinic; empty for none.
    var clinic = ""
  }

  var title: Text { "my-clinic.title" }

  let form = Form(
    Draft(), .choice(\.clinic, "clinic", hint: "field.clinic.hint", options: choices))

  func load(in work: Work) throws -> Draft {
    let chosen = try ChosenClinic.find(of: work.keys.person, in: work)
    return Draft(clinic: chosen?.description ?? "")
  }

  func save(_ draft: Draft, in work: Work) throws {
    if draft.clinic.isEmpty { return try ChosenClinic.remove(of: work.keys.person, in: work) }
    // The form offered open clinics only, but the clinic may have been deleted or closed since.
    guard let id = ID<Clinic>(draft.clinic), let clinic = try Clinic.find(id, in: work)
    else { throw Refusal.invalid("clinic", "error.choice") }
    let chosen = try ChosenClinic.find(of: work.keys.person, in: work)
    guard clinic.closedAt == nil || chosen == id else {
      throw Refusal.invalid("clinic", "clinic.closed.choice")
    }
    try ChosenClinic.store(id, of: work.keys.person, in: work)
  }

  /// Returns the open clinics by name, then the person's own choice if that clinic is closed.
  @Sendable
  private static func choices(_ context: Context) throws -> [Choice] {
    let person = context.visitor?.person
    let chosen = try person.flatMap { try ChosenClinic.find(of: $0, in: context) }
    let open = try Clinic.open(in: context).map { FoundClinic(clinic: $0, distance: nil) }
      .byName(in: context.language)
    let isClosed = chosen.map { id in !open.contains { $0.clinic.id == id } } ?? false
    let closed = isClosed ? try chosen.flatMap { try Clinic.find($0, in: context) } : nil
    return (open.map(\.clinic) + (closed.map { [$0] } ?? [])).map { clinic in
      let place = clinic.nameAndTown(context)
      // A text key instead of a translated string, because a page of another module shows it.
      let label: Choice.Label =
        clinic.closedAt == nil
        ? .verbatim(place) : .text(Text("field.clinic.closed", ["name": place]))
      return Choice(clinic.id.description, label)
    }
  }
}

extension ChosenClinic {
  static func choose(_ context: Context) throws -> Path {
    let id: ID<Clinic> = try context.id()
    guard let clinic = try Clinic.find(id, in: context) else { throw Refusal.notFound }
    guard clinic.closedAt == nil else { throw Refusal.conflict("clinic.closed.choice") }
    try ChosenClinic.store(id, of: context.keys.person, in: context)
    return "clinics/\(id)"
  }
}
