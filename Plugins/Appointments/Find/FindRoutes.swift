import PolyclinicCore

extension AppointmentsModule {
  /// Clinics to look at, for everybody, and the choice of one's own.
  var findRoutes: [Route] {
    [
      .get("clinics", access: .everyone, listClinics),
      .get("clinics/map", access: .everyone, showMap),
      .lookup(
        "clinics/nearest", Whereabouts.form, title: "nearest.title", back: "clinics",
        access: .everyone, submit: "nearest.submit", scripts: ["position.js"],
        aid: NearestClinics.aid, start: homeTown, answer: showNearest),
      .get("clinics/{id}", access: .everyone, showClinic),
      .post("clinics/{id}/choose", chooseClinic).leadingBack(to: "clinics/{id}"),
    ]
  }

  static var findWords: Catalog {
    Catalog(
      en: [PackageResources.find_en_json], ru: [PackageResources.find_ru_json],
      he: [PackageResources.find_he_json])
  }

  var findLinks: [Link] {
    [
      Link(
        "clinics.title", to: "clinics", access: .everyone, icon: .pin, about: "clinics.about",
        actions: [Link("nearest.title", to: "clinics/nearest", access: .everyone)])
    ]
  }

  var findCards: [Card] { [Card("my-clinic.title", myClinic)] }

  var findData: PersonalData {
    PersonalData(
      .plain(
        "privacy.chosen-clinic", until: "privacy.until-changed",
        columns: ["appointments_chosen_clinics"]),
      export: ChosenClinic.export)
  }

  func listClinics(_ context: Context) throws -> Response {
    let filter = ClinicFilter(context.request.query)
    let home = try home(of: context)
    let found = try context.database.read { connection in
      try FoundClinic.all(matching: filter, from: home?.coordinates, on: connection)
    }
    return .page(ClinicSearch(found: found, filter: filter, context: context).page)
  }

  func showMap(_ context: Context) throws -> Response {
    let filter = ClinicFilter(context.request.query)
    let home = try home(of: context)
    let found = try context.database.read { connection in
      try FoundClinic.all(matching: filter, from: home?.coordinates, on: connection)
    }
    return .page(ClinicMapPage(found: found, home: home, filter: filter, context: context).page)
  }

  func showClinic(_ context: Context) throws -> Response {
    try context.database.read { connection in
      guard let clinic = try Clinic.find(context.id(), on: connection) else {
        throw Refusal.notFound
      }
      let person = context.visitor?.person
      let chosen = try person.flatMap { try ChosenClinic.find(of: $0, on: connection) }
      return try .page(
        PublicClinic(
          clinic: clinic,
          staff: try ClinicStaff.all(of: clinic.id, by: context.portal.keys, on: connection),
          opening: try Opening.find(of: clinic.id, from: context.today, on: connection),
          isChosen: chosen == clinic.id, context: context
        ).page)
    }
  }

  func chooseClinic(_ context: Context) throws -> Response {
    let id: ID<Clinic> = try context.id()
    let person = try context.keys.person
    try context.database.write { connection in
      guard let clinic = try Clinic.find(id, on: connection) else { throw Refusal.notFound }
      guard clinic.closedAt == nil else { throw Refusal.conflict("clinic.closed.choice") }
      try ChosenClinic.store(id, of: person, on: connection)
    }
    return .redirect(to: "clinics/\(id)")
  }
}
