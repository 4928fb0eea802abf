import Logging
import PolyclinicCore
import PolyclinicWeb

/// The page for erasing a person: a confirmation, or the reason why it is not possible.
struct PersonErasure: RoutedPage {
  static let address: Address<ID<Person>> = "/admin/people/{id}/erase"
  static let access = Access.role(.administrator)

  private enum State {
    /// The account is the visitor's own.
    case own(Page)
    case refused(PeopleList.Entry, Text)
    case possible(PeopleList.Entry, losses: HTML, BackupDirectory.Forgetting)
  }

  private let state: State
  private let context: Context
  /// True if the form was sent without the confirmation.
  private var isUnconfirmed = false

  init(_ context: Context) throws {
    self.context = context
    let person = try Self.address.value(in: context)
    if let own = PersonPage.own(person, context) {
      state = .own(own)
      return
    }
    state = try context.write { context in
      let installation = context.server.installation
      let entry = try PeopleList.entry(of: person, context)
      let obstacle = try installation.obstacle(toErasing: person, in: context)
      let losses = try installation.lossNotices(ofErasing: person, context)
      if let obstacle { return .refused(entry, obstacle) }
      let machines = try Machine.all(on: context)
      return .possible(
        entry, losses: losses, context.files.forgetting(at: context.now, machines: machines))
    }
  }

  private static let confirmation = "confirm"

  /// Erases the person, if the form confirms it.
  static func erase(_ context: Context) throws -> Response {
    let person = try address.value(in: context)
    let fields = context.request.fields
    if fields.contains("cancel") { return .redirect(to: PersonPage.path(person)) }
    if let own = PersonPage.own(person, context) { return .page(own, status: 409) }
    if fields[confirmation].isEmpty {
      var question = try PersonErasure(context)
      question.isUnconfirmed = true
      if case .possible = question.state { return .page(question.page, status: 422) }
      return .page(question.page, status: 409)
    }
    let server = context.server
    do {
      _ = try Erasure(of: server, context.files).run {
        var administrator = try Administrator(context)
        try context.admission.confirmVisitor(on: $0)
        return try administrator.erase(person, asking: server.installation, on: $0)
      }
    } catch Refusal.conflict(let obstacle) {
      let entry = try context.write { try PeopleList.entry(of: person, $0) }
      return .page(refused(entry, obstacle, context), status: 409)
    } catch let failure as Erasure.Failure {
      if failure.isErased { server.log(SecurityEvent(.erased, of: person), of: context) }
      return .page(incomplete(failure, person, context), status: 503)
    }
    return .redirect(to: PeoplePage.path.query(["done": "erased"]))
      .logging(SecurityEvent(.erased, of: person))
  }

  var page: Page {
    switch state {
    case .own(let page): page
    case .refused(let entry, let obstacle): Self.refused(entry, obstacle, context)
    case .possible(let entry, let losses, let forgetting): question(entry, losses, forgetting)
    }
  }

  private func question(
    _ entry: PeopleList.Entry, _ losses: HTML, _ forgetting: BackupDirectory.Forgetting
  ) -> Page {
    let unconfirmed: HTML? =
      isUnconfirmed ? context.notice(.problem, "person.erase.unconfirmed") : nil
    return Page(
      "person.erase.title",
      """
      \(unconfirmed)<form class="question" method="post" action="\(Self.path(entry.person))">\
      <p>\(context.text("person.erase.question", ["name": entry.called]))</p>\(losses)\
      \(context.server.installation.retentionNotice(context))\
      <p>\(context.text(text(of: forgetting)))</p>\(context.hiddenFields())\
      \(context.checkBox("person.erase.confirm", name: Self.confirmation, isChecked: false))\
      \(actions:
        context.submit("person.erase.yes", style: .danger), context.cancelButton("form.no"))</form>
      """)
  }

  /// The sentence that says when the last backup with the person's data will be deleted.
  private func text(of forgetting: BackupDirectory.Forgetting) -> Text {
    switch forgetting {
    case .never: return "person.erase.backups.none"
    case .unknown: return "person.erase.backups"
    case .at(let instant):
      let date = context.formats.date(context.formats.day(of: instant))
      return Text("person.erase.backups.until", ["date": date])
    }
  }

  /// Returns the page with the reason why the person cannot be erased.
  private static func refused(
    _ entry: PeopleList.Entry, _ obstacle: Text, _ context: Context
  ) -> Page {
    Page(
      "person.erase.first",
      """
      \(context.notice(.problem, obstacle))\
      <p>\(context.text("person.erase.kept", ["name": entry.called]))</p>
      """,
      back: PersonPage.path(entry.person))
  }

  /// Returns the page that names the command to run on the server after an incomplete erasure.
  private static func incomplete(
    _ failure: Erasure.Failure, _ person: ID<Person>, _ context: Context
  ) -> Page {
    let text: Text =
      switch failure {
      case .notBegun: "person.erase.not-begun"
      case .unlogged: "person.erase.unlogged"
      case .uncleaned: "person.erase.uncleaned"
      case .copied: "person.erase.copied"
      }
    failure.log()
    return Page(
      "person.erase.incomplete",
      """
      \(context.notice(.problem, text))\
      <p><code dir="ltr">polyclinic user erase --person \(person)</code></p>
      """,
      back: PeoplePage.path)
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
    Logger(label: "erasure").error("an erasure is not complete", metadata: ["reason": "\(self)"])
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
