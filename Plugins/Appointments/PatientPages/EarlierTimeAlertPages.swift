import PolyclinicCore

/// The list of a patient's alerts for earlier times, and the buttons that begin and stop them.
enum EarlierTimeAlertPages {
  static func list(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let rows = try context.database.read { connection in
      try EarlierTimeAlert.doctors(of: person, on: connection).compactMap { doctor in
        try DoctorPlacement.find(doctor, on: connection).map { try row($0, context) }
      }
    }
    let list: HTML =
      rows.isEmpty
      ? context.emptyState(.bell, "wishes.none", hint: "wishes.none.hint") : "\(rows: rows)"
    return .page(
      Page(
        "wishes.title", "<p class=\"lead\">\(context.text("wishes.about"))</p>\(list)", back: ""))
  }

  private static func row(_ placement: DoctorPlacement, _ context: Context) throws -> HTML {
    let name = try placement.doctor.name.shown(context)
    let doctor = placement.doctor.id.description
    return .row(
      "<bdi>\(name)</bdi>", detail: placement.place(context),
      actions: context.button(
        "agenda.times", to: Path("/appointments/new").query(["doctor": doctor]),
        style: [.secondary, .small], of: name),
      context.button(
        "wish.leave", posts: "/appointments/wishes/\(placement.doctor.id)/leave",
        with: ["from": "list"], style: [.plain, .small], of: name))
  }

  static func subscribe(_ context: Context) throws -> Response {
    let doctor: ID<Doctor> = try context.id()
    let person = try context.keys.person
    try context.database.write { connection in
      guard let placement = try DoctorPlacement.find(doctor, on: connection), placement.isOpen
      else { throw Refusal.notFound }
      try EarlierTimeAlert.subscribe(doctor, person, at: context.now, on: connection)
    }
    return .redirect(to: Path("/appointments/new").query(["doctor": doctor.description]))
  }

  static func unsubscribe(_ context: Context) throws -> Response {
    let doctor: ID<Doctor> = try context.id()
    let person = try context.keys.person
    try context.database.write { try EarlierTimeAlert.unsubscribe(doctor, person, on: $0) }
    if context.request.fields["from"] == "list" { return .redirect(to: "/appointments/wishes") }
    return .redirect(to: Path("/appointments/new").query(["doctor": doctor.description]))
  }

  /// Returns the section with the button to join the list, or to leave it if the visitor is on it. Nil for a visitor
  /// who has not signed in.
  static func offer(_ doctor: ID<Doctor>, _ context: Context) throws -> HTML? {
    if context.visitor == nil { return nil }
    let person = try context.keys.person
    let isSubscribed = try context.database.read {
      try EarlierTimeAlert.exists(of: person, for: doctor, on: $0)
    }
    let (about, label, path): (Text, Text, Path) =
      isSubscribed
      ? ("wish.joined", "wish.leave", "/appointments/wishes/\(doctor)/leave")
      : ("wish.about", "wish.join", "/appointments/wishes/\(doctor)")
    return """
      <section class="panel"><h2>\(context.text("wish.title"))</h2><p>\(context.text(about))</p>\
      \(actions: context.button(label, posts: path, style: .secondary))\
      </section>
      """
  }
}
