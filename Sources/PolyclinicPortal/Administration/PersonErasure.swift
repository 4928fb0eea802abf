import Logging
import PolyclinicCore
import PolyclinicWeb

/// The pages for erasing a person: a confirmation, or the reason why it is not possible, and the
/// erasure.
struct PersonErasure {
  let server: ServerReference
  let files: InstallationFiles

  func ask(_ context: Context) throws -> Response {
    try ask(isUnconfirmed: false, context)
  }

  /// Asks for the confirmation. `isUnconfirmed` is true if the form was sent without it.
  private func ask(isUnconfirmed: Bool, _ context: Context) throws -> Response {
    let person: ID<Person> = try context.id()
    if PersonViews.isOwn(person, context) {
      return PersonViews.own(person, status: 200, context)
    }
    let server = self.server()
    let (entry, obstacle, losses) = try context.write { context in
      let entry = try PeopleList.entry(of: person, context)
      let obstacle = try server.installation.obstacle(
        toErasing: entry.person, in: context)
      let losses = try server.installation.lossNotices(ofErasing: entry.person, context)
      return (entry, obstacle, losses)
    }
    if let obstacle {
      return refused(entry, obstacle, status: isUnconfirmed ? 409 : 200, context)
    }
    return question(entry, losses, isUnconfirmed: isUnconfirmed, context)
  }

  func erase(_ context: Context) throws -> Response {
    let person: ID<Person> = try context.id()
    if context.request.fields.contains("cancel") { return .redirect(to: "people/\(person)") }
    if PersonViews.isOwn(person, context) {
      return PersonViews.own(person, status: 409, context)
    }
    if context.request.fields[Self.confirmation].isEmpty {
      return try ask(isUnconfirmed: true, context)
    }
    let server = self.server()
    var administrator = Administrator(
      vault: server.vault, author: .person(try context.signedIn().person), now: context.now)
    do {
      _ = try Erasure(of: server, files).run {
        try context.admission.confirmVisitor(on: $0)
        return try administrator.erase(person, asking: server.installation, on: $0)
      }
    } catch Refusal.conflict(let obstacle) {
      let entry = try context.write {
        try PeopleList.entry(of: person, $0)
      }
      return refused(entry, obstacle, status: 409, context)
    } catch let failure as Erasure.Failure {
      if failure.isErased { server.log(SecurityEvent(.erased, of: person), of: context) }
      return incomplete(failure, person, context)
    }
    return .redirect(to: "people?done=erased").logging(SecurityEvent(.erased, of: person))
  }

  /// The sentence that says when the last backup with the person's data will be deleted.
  private func backups(_ context: Context) -> Text {
    switch files.forgetting(at: context.now) {
    case .never: return "person.erase.backups.none"
    case .unknown: return "person.erase.backups"
    case .at(let instant):
      let date = context.formats.date(context.formats.day(of: instant))
      return Text("person.erase.backups.until", ["date": date])
    }
  }

  private static let confirmation = "confirm"

  private func question(
    _ entry: PeopleList.Entry, _ losses: HTML, isUnconfirmed: Bool, _ context: Context
  ) -> Response {
    let path: Path = "/admin/people/\(entry.person)"
    let unconfirmed: HTML? =
      isUnconfirmed ? context.notice(.problem, "person.erase.unconfirmed") : nil
    return .page(
      Page(
        "person.erase.title",
        """
        \(unconfirmed)<form class="question" method="post" action="\(path)/erase">\
        <p>\(context.text("person.erase.question", ["name": entry.called]))</p>\(losses)\
        \(RetainedRecords.notice(of: server().installation, context))\
        <p>\(context.text(backups(context)))</p>\(context.hiddenFields())\
        \(context.checkBox("person.erase.confirm", name: Self.confirmation, isChecked: false))\
        \(actions:
          context.submit("person.erase.yes", style: .danger), context.cancelButton("form.no"))</form>
        """,
        width: .narrow),
      status: isUnconfirmed ? 422 : 200)
  }

  /// The page with the reason why the person cannot be erased.
  private func refused(
    _ entry: PeopleList.Entry, _ obstacle: Text, status: Int, _ context: Context
  ) -> Response {
    .page(
      Page(
        "person.erase.first",
        """
        \(context.notice(.problem, obstacle))\
        <p>\(context.text("person.erase.kept", ["name": entry.called]))</p>
        """,
        back: "people/\(entry.person)", width: .narrow),
      status: status)
  }

  /// The page that names the command to run on the server after an incomplete erasure.
  private func incomplete(
    _ failure: Erasure.Failure, _ person: ID<Person>, _ context: Context
  ) -> Response {
    let text: Text
    switch failure {
    case .notBegun: text = "person.erase.not-begun"
    case .unlogged: text = "person.erase.unlogged"
    case .uncleaned: text = "person.erase.uncleaned"
    case .copied: text = "person.erase.copied"
    }
    failure.log()
    return .page(
      Page(
        "person.erase.incomplete",
        """
        \(context.notice(.problem, text))\
        <p><code dir="ltr">polyclinic user erase --person \(person)</code></p>
        """,
        back: "people", width: .narrow),
      status: 503)
  }
}

extension Erasure {
  /// Creates an erasure in the installation of a worker, which may write to the backup directory.
  package init(of server: ServerContext, _ files: InstallationFiles) {
    self.init(
      database: server.database, files: files, migrations: server.installation.migrations,
      removeBytes: server.database.removeDeletedBytes)
  }
}

extension Erasure.Failure: CustomStringConvertible {
  /// Writes the failure to the log.
  func log() {
    Logger(label: "erasure").error(
      "an erasure is not complete", metadata: ["reason": "\(self)"])
  }

  /// Names files and error codes, but no person.
  package var description: String {
    switch self {
    case .notBegun(let error): "nothing was erased: \(error)"
    case .unlogged(let error): "a restored backup would not know: \(error)"
    case .uncleaned(let error): "deleted bytes were not removed: \(error.detail)"
    case .copied(let reason): "another file may hold the person: \(reason)"
    }
  }
}
