import PolyclinicCore

/// A test module in which patients choose doctors.
struct WardModule: Module {
  var id: ModuleID = "ward"
  var title: Text { "title" }
  var personalData: PersonalData { .none }
  var relations: (any CareRelations)? = Relations()
  var offers: [Offer] { relations.map { [Offer((any CareRelations).self, $0)] } ?? [] }

  var catalog: Catalog {
    let words = Array(
      #"{"title": "Ward", "log.moved": "Moved to {bed}", "log.name": "Your name"}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }

  var migrations: [Migration] {
    [
      Migration(
        "0001-ward",
        "CREATE TABLE ward (person \(.person), doctor \(.actor), PRIMARY KEY (person)) \(.strict)")
    ]
  }

  var routes: [Route] {
    [
      .post("{id}/choose", choose), .get("care/{id}") { try look(.care, $0) },
      .get("desk/{id}") { try look(.reception, $0) }, .post("care/{id}/move", move),
      .get("shown/{id}") { try look(.consent, $0) },
      .get("shown") { context in
        .text(try context.sharedWithMe().map(\.name).joined(separator: ", "))
      },
      .get("button/{id}") { context in
        let id: ID<Person> = try context.id()
        return .page(
          Page(
            "title",
            """
            \(context.button("title", posts: "/ward/\(id)/choose"))\
            \(context.button("title", posts: "/ward/care/\(id)/move"))
            """))
      },
    ]
  }

  /// Adds the signed-in patient to a doctor's list.
  private func choose(_ context: Context) throws -> Response {
    let doctor: ID<Person> = try context.id()
    try context.write { context in
      try context.run(
        "INSERT INTO ward (person, doctor) VALUES (\(context.keys.person), \(doctor))")
    }
    return .redirect(to: "/")
  }

  /// Returns the names of the person and of the visitor, whose keys it requests in one call.
  private func look(_ reason: AccessReason, _ context: Context) throws -> Response {
    let visitor = try context.signedIn().person
    let names = try context.write { context in
      let works = try context.of([context.id(), visitor], for: reason, reading: "log.name")
      return try works.values.compactMap { try context.portal.people.name(in: $0) }
    }
    return .text(names.sorted().joined(separator: ", "))
  }

  private func move(_ context: Context) throws -> Response {
    let person: ID<Person> = try context.id()
    try context.write { context in
      try context.recordChange(
        Text("log.moved", ["bed": "<b>7"]), of: [person], for: .care)
    }
    return .redirect(to: "button/\(person)")
  }

  /// A doctor may see the patients who chose that doctor; a desk may see all who chose one.
  struct Relations: CareRelations {
    func allowed(
      _ people: Set<ID<Person>>, for reason: AccessReason, in work: Work
    ) throws -> Set<ID<Person>> {
      let visitor = try work.signedIn()
      let rows = try work.rows(
        "SELECT person, doctor FROM ward WHERE person IN \(list: people.sorted())"
      ) { row -> (person: ID<Person>, doctor: ID<Person>) in (row.id(0), row.id(1)) }
      return Set(
        rows.filter { reason == .reception || $0.doctor == visitor.person }.map(\.person))
    }

    func careTeam(in work: Work) throws -> [ID<Person>] {
      try work.rows("SELECT doctor FROM ward WHERE person = \(work.keys.person)") { $0.id(0) }
    }

    func publicNames(of people: [ID<Person>], in work: Work) throws -> [ID<Person>: Text] { [:] }
  }
}
