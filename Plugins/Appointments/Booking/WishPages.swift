import PolyclinicCore

/// Joining and leaving the list of those who want something earlier.
extension AppointmentsModule {
  func joinWishes(_ context: Context) throws -> Response {
    let doctor: ID<Doctor> = try context.id()
    let person = try context.keys.person
    try context.database.write { connection in
      guard let practice = try Practice.find(doctor, on: connection), practice.isOpen else {
        throw Refusal.notFound
      }
      try Wish.join(doctor, person, at: context.now, on: connection)
    }
    return .redirect(to: Path("/appointments/new").query(["doctor": doctor.description]))
  }

  func leaveWishes(_ context: Context) throws -> Response {
    let doctor: ID<Doctor> = try context.id()
    let person = try context.keys.person
    try context.database.write { try Wish.leave(doctor, person, on: $0) }
    return .redirect(to: Path("/appointments/new").query(["doctor": doctor.description]))
  }
}

enum WishViews {
  /// "Tell me if something earlier becomes free", or that one is told, and how to stop it.
  static func offer(_ doctor: ID<Doctor>, _ context: Context) throws -> HTML {
    let person = try context.keys.person
    let isTold = try context.database.read { try Wish.exists(of: person, for: doctor, on: $0) }
    let (about, label, path): (Text, Text, Path) =
      isTold
      ? ("wish.joined", "wish.leave", "/appointments/wishes/\(doctor)/leave")
      : ("wish.about", "wish.join", "/appointments/wishes/\(doctor)")
    return """
      <section class="panel"><h2>\(context.text("wish.title"))</h2><p>\(context.text(about))</p>\
      <div class="actions">\(context.button(label, posts: path, style: "button secondary"))</div>\
      </section>
      """
  }
}
