import PolyclinicCore
import PolyclinicPlaces

/// The clinic that a person has chosen, at most one.
extension Clinic {
  /// Returns the clinic that a person has chosen, open or closed; nil if there is none.
  static func chosen(by person: ID<Person>, in work: Work) throws -> ID<Clinic>? {
    try work.row(
      "SELECT clinic FROM appointments_chosen_clinics WHERE person = \(person)"
    ) { $0.id(0) }
  }

  /// Stores the choice in place of an earlier one.
  func choose(by person: ID<Person>, in work: Work) throws {
    try work.run(
      """
      INSERT INTO appointments_chosen_clinics (person, clinic) VALUES (\(person), \(id))
      ON CONFLICT (person) DO UPDATE SET clinic = excluded.clinic
      """)
  }

  /// Writes the choice into the person's export of all data.
  @Sendable
  static func exportChoice(_ work: Work, _ copy: JSON.Writer) throws {
    let clinic = try chosen(by: work.keys.person, in: work).flatMap { try find($0, in: work) }
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
    let chosen = try Clinic.chosen(by: work.keys.person, in: work)
    return Draft(clinic: chosen?.description ?? "")
  }

  func save(_ draft: Draft, in work: Work) throws {
    let person = try work.keys.person
    if draft.clinic.isEmpty {
      try work.run("DELETE FROM appointments_chosen_clinics WHERE person = \(person)")
      return
    }
    // The form offered open clinics only, but the clinic may have been deleted or closed since.
    guard let id = ID<Clinic>(draft.clinic), let clinic = try Clinic.find(id, in: work)
    else { throw Refusal.invalid("clinic", "error.choice") }
    let chosen = try Clinic.chosen(by: person, in: work)
    guard clinic.closedAt == nil || chosen == id else {
      throw Refusal.invalid("clinic", "clinic.closed.choice")
    }
    try clinic.choose(by: person, in: work)
  }

  /// Returns the open clinics by name, then the person's own choice if that clinic is closed.
  @Sendable
  private static func choices(_ context: Context) throws -> [Choice] {
    let chosen =
      try context.visitor == nil ? nil : Clinic.chosen(by: context.keys.person, in: context)
    let open = try Clinic.open(in: context).map { FoundClinic($0) }
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

/// The clinic that a patient calls: the chosen one, the one of the next or the last appointment, or
/// the only one; and the clinics of all others.
struct PatientsClinic: Portal.ClinicContacts {
  let module: ModuleID

  func doctors(finding words: String, for patient: Portal.Patient) -> Path {
    var sent = Fields(["q": words])
    if patient == .child { sent.append("children", "1") }
    return DoctorList.path.query(DoctorFilter(sent).fields)
  }

  func clinic(of person: ID<Person>, in work: Work) throws -> (name: Text.Value, phone: String)? {
    if let own = try Clinic.own(of: person, in: work), own.closedAt == nil, !own.phone.isEmpty {
      return (own.name.value, own.phone)
    }
    let open = try Clinic.open(in: work)
    guard open.count == 1, let only = open.first, !only.phone.isEmpty else { return nil }
    return (only.name.value, only.phone)
  }

  func overview(_ context: Context) throws -> HTML? { try ClinicOverview(context)?.html }
}
