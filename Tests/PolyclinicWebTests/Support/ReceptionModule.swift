import PolyclinicCore
import PolyclinicTestSupport

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
      NewPerson.route, .get("{id}") { _ in .text("entered") },
    ]
  }

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

private struct NewPerson: RoutedForm {
  static let address: Address<Void> = "/reception/new"
  static let access = Access.everyone
  static let title: Text = "title"
  static let form = Form(
    Draft(), .text(\.person.name, "name"), .text(\.person.surname, "surname"),
    .telephone(\.person.phone, "phone"), .date(\.person.birthDate, "birth_date"))
  static let cancel: Path = "/reception"

  struct Draft: Sendable { var person = Portal.Newcomer() }

  init(_ context: Context) {}

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let work = try context.portal.people.enter(draft.person, for: .reception, in: context)
    return Redirect(to: "/reception/\(try work.keys.person)")
  }
}
