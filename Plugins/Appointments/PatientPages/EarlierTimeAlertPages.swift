import PolyclinicCore

/// The buttons with which patients subscribe to alerts for earlier times.
enum EarlierTimeAlertPages {
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
    return .redirect(to: Path("/appointments/new").query(["doctor": doctor.description]))
  }

  /// Returns the section with the button to join the list, or to leave it if the visitor is on it.
  static func offer(_ doctor: ID<Doctor>, _ context: Context) throws -> HTML {
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
