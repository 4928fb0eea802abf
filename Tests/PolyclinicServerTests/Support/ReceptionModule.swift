import PolyclinicCore

/// A module that lets receptionists find people and enter new ones.
struct ReceptionModule: Module {
  let id: ModuleID = "reception"
  var title: Text { "title" }
  var catalog: Catalog {
    .titled(
      "Reception", #""field.name": "Name", "field.surname": "Surname""#,
      #""field.birth_date": "Date of birth", "field.phone": "Phone""#)
  }
  var personalData: PersonalData { .none }

  var routes: [Route] {
    [
      .get("find", find), .get("doctors", doctors), .get("language/{id}", language),
      .form(
        "new", Self.form, title: "title", cancel: "", access: .everyone,
        save: { newcomer, context in
          let work = try context.portal.people.enter(
            newcomer.draft, for: .reception, in: context)
          return Path("\(try work.keys.person)")
        }),
      .get("{id}") { _ in .text("entered") },
    ]
  }

  struct Entered: Sendable { var draft = Portal.Newcomer() }

  static let form = Form(
    Entered(), .text(\.draft.name, "name"), .text(\.draft.surname, "surname"),
    .telephone(\.draft.phone, "phone"), .date(\.draft.birthDate, "birth_date"))

  private func find(_ context: Context) throws -> Response {
    let found = try context.write {
      try context.portal.people.find(
        context.request.query["q"], for: .reception, in: $0)
    }
    return .text(found.map(\.description) ?? "nobody")
  }

  private func doctors(_ context: Context) throws -> Response {
    let doctors = try context.write {
      try context.portal.people.members(having: .doctor, in: $0)
    }
    return .text(doctors.map { "\($0.person) \($0.name)" }.joined(separator: "\n"))
  }

  private func language(_ context: Context) throws -> Response {
    let person: ID<Person> = try context.id()
    let language = try context.portal.people.language(of: person, in: context)
    return .text(language?.code ?? "none")
  }
}
