import Logging
import PolyclinicCore
import PolyclinicStore

/// Erasing a person from the administrator's pages: a question first, or why not, and then all of it.
enum PersonErasure {
  static func ask(_ context: Context) throws -> Response {
    let front = try context.front()
    let (entry, obstacle) = try context.database.write { connection in
      let entry = try PeopleList.entry(of: context.id(), context, on: connection)
      let obstacle = try front.installation.obstacle(
        toErasing: entry.person, at: context.now, on: connection)
      return (entry, obstacle)
    }
    return try page(entry, obstacle: obstacle, status: 200, context)
  }

  static func erase(_ context: Context) throws -> Response {
    let person: ID<Person> = try context.id()
    if context.request.fields.contains("cancel") { return .redirect(to: "people/\(person)") }
    let front = try context.front()
    let visitor = try context.signedIn()
    let administrator = Administrator(
      vault: front.vault, author: .person(visitor.person), now: context.now)
    do {
      _ = try Erasure(of: front).run {
        try administrator.erase(person, asking: front.installation, on: $0)
      }
    } catch Refusal.conflict(let obstacle) {
      let entry = try context.database.write {
        try PeopleList.entry(of: person, context, on: $0)
      }
      return try page(entry, obstacle: obstacle, status: 409, context)
    } catch let failure as Erasure.Failure {
      if failure.isErased, let visit = context.visit {
        front.securityLog.write(SecurityEvent(.erased, of: person), of: visit)
      }
      return incomplete(failure, person, context)
    }
    context.visit?.record(SecurityEvent(.erased, of: person))
    return .redirect(to: person == visitor.person ? "/" : "people?done=erased")
  }

  /// When the backups forget somebody who is erased now.
  private static func backups(_ context: Context) throws -> Text {
    switch try context.front().instruments.files.forgetting(at: context.now) {
    case .never: return "person.erase.backups.none"
    case .unknown: return "person.erase.backups"
    case .at(let instant):
      let date = context.formats.date(context.formats.day(of: instant))
      return Text("person.erase.backups.until", ["date": date])
    }
  }

  private static func page(
    _ entry: PeopleList.Entry, obstacle: Text?, status: Int, _ context: Context
  ) throws -> Response {
    let name = entry.called
    let path: Path = "/admin/people/\(entry.person)"
    guard let obstacle else {
      return .page(
        Page(
          "person.erase.title",
          """
          <form class="question" method="post" action="\(path)/erase">\
          <p>\(context.text("person.erase.question", ["name": name]))</p>\
          <p>\(context.text(try backups(context)))</p>\(context.hiddenFields())\
          <p class="actions"><button class="button danger">\(context.text("person.erase.yes"))</button> \
          <button class="button secondary" name="cancel" value="yes">\
          \(context.text("form.no"))</button></p></form>
          """,
          width: .narrow),
        status: status)
    }
    return .page(
      Page(
        "person.erase.first",
        """
        <div class="notice warning" role="alert"><p>\(context.text(obstacle))</p></div>\
        <p>\(context.text("person.erase.kept", ["name": name]))</p>
        """,
        back: "people/\(entry.person)", width: .narrow),
      status: status)
  }

  /// What is still to be done by hand, on the server.
  private static func incomplete(
    _ failure: Erasure.Failure, _ person: ID<Person>, _ context: Context
  ) -> Response {
    let text: Text
    switch failure {
    case .notBegun: text = "person.erase.not-begun"
    case .unlogged: text = "person.erase.unlogged"
    case .uncleaned: text = "person.erase.uncleaned"
    }
    Logger(label: "erasure").error(
      "an erasure is not complete", metadata: ["reason": "\(failure)"])
    return .page(
      Page(
        "person.erase.incomplete",
        """
        <div class="notice warning" role="alert"><p>\(context.text(text))</p></div>\
        <p><code dir="ltr">polyclinic user erase --person \(person)</code></p>
        """,
        back: "people", width: .narrow),
      status: 503)
  }
}

extension Erasure {
  /// In the installation that a worker serves, which may write beside its backups.
  init(of front: Front) {
    let database = front.database
    self.init(
      database: database,
      log: ErasureLog(directory: front.instruments.files.backups.path),
      // Another engine keeps no log of its own that deleted bytes could stay in.
      checkpoint: { try (database as? SQLiteDatabase)?.checkpointTruncate() })
  }
}

extension Erasure.Failure: CustomStringConvertible {
  /// Names files and codes, nobody.
  var description: String {
    switch self {
    case .notBegun(let error): "nothing was erased: \(error)"
    case .unlogged(let error): "a restored backup would not know: \(error)"
    case .uncleaned(let error): "the write-ahead log was not emptied: \(error.detail)"
    }
  }
}
