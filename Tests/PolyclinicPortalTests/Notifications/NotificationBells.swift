import PolyclinicCore
import PolyclinicTesting

/// A test module that notifies people: one person from a page, everybody from a job.
struct BellsModule: Module {
  let id: ModuleID = "bells"
  /// The time zone of the times in notifications.
  static let zone = Zone("Asia/Kathmandu") ?? .utc
  static let noon = Instant(1_777_889_700)
  /// Returns `noon` in the format of the language.
  static func time(in language: Language) -> String {
    Formats(language: language, timeZone: zone).dateTime(noon)
  }
  var title: Text { "title" }
  var noticeKinds: [Notice.Kind] { [.ring, .whisper] }

  var catalog: Catalog {
    func words(_ ring: String, _ subject: String) -> [UInt8] {
      Array(
        """
        {"title": "Bells", "privacy.bells": "Bells", "kind.ring": "Rings", "kind.whisper": "Whispers",
         "ring": "\(ring)", "mail.subject": "\(subject)", "mail.body": "{name}: {time}",
         "reminder": "It is time"}
        """.utf8)
    }
    return Catalog(
      en: [words("{name} rings at {time} in {place}", "{name} rings")],
      ru: [words("{name} звонит {time}, {place}", "Звонит {name}")],
      he: [words("{name} מתקשר {time}, {place}", "{name} מתקשר")])
  }

  var personalData: PersonalData { .none }

  var routes: [Route] {
    [
      .get("") { context in
        .page(
          "title", "<form method=\"post\" action=\"/bells/ring\">\(context.hiddenFields())</form>")
      },
      .get("{id}") { _ in .page("title", "<p>rung</p>") },
      .post("ring", ring),
    ]
  }

  var jobs: [Job] {
    [
      Job("remind") { portal in
        try portal.write { work in
          let people: [ID<Person>] = try work.rows(
            "SELECT id_person FROM people ORDER BY id_person"
          ) { $0.id(0) }
          for person in people {
            let notice = Notice(.ring, "reminder", leadingTo: "", once: "reminder-1")
            try portal.notify(person, notice, in: work)
          }
        }
        return portal.now + .hours(1)
      }
    ]
  }

  private static func event(isCancelled: Bool) -> Notice.Event {
    var event = Notice.Event(
      id: "ring-7@clinic.example", noon..<noon + .minutes(10), summary: "kind.ring", sequence: 2)
    event.isCancelled = isCancelled
    event.reminders = [.hours(2)]
    return event
  }

  private func ring(_ context: Context) throws -> Response {
    let fields = context.request.fields
    guard let person = ID<Person>(fields["to"]) else { throw Refusal.malformed }
    let values: [String: Text.Value] = [
      "time": .dateTime(Self.noon, Self.zone),
      "place": .name([.english: "Town", .russian: "Город", .hebrew: "עיר"]),
    ]
    let name = ["name": fields["name"]]
    var notice = Notice(
      fields["kind"] == "whisper" ? .whisper : .ring, Text("ring", name, values: values),
      leadingTo: "7", subject: fields["subject"].isEmpty ? nil : fields["subject"])
    if fields["kind"] == "unlisted" {
      notice = Notice(Notice.Kind("unlisted", "title"), "reminder", leadingTo: "")
    }
    notice.once = fields["once"].isEmpty ? nil : fields["once"]
    if fields.contains("mail") {
      notice.mail = Notice.Mail(
        subject: Text("mail.subject", name), body: Text("mail.body", name, values: values),
        event: Self.event(isCancelled: fields["mail"] == "cancelled"))
    }
    if fields.contains("own") {
      notice.confirmation = Notice.Confirmation(notice.kind, notice.text, mail: notice.mail)
    }
    if fields.contains("expires") { notice.expires = context.now + .hours(2) }
    try context.write {
      try context.portal.notify(person, notice, in: $0)
      if fields.contains("fail") { throw Refusal.conflict("reminder") }
    }
    return .redirect(to: "")
  }
}

extension Notice.Kind {
  fileprivate static let ring = Notice.Kind("ring", "kind.ring")
  fileprivate static let whisper = Notice.Kind("whisper", "kind.whisper", ways: [])
}

extension TestVisitor {
  /// Sends a notification to another visitor.
  @discardableResult
  func ring(
    for other: TestVisitor, in portal: TestPortal, _ fields: [String: String] = [:]
  ) throws -> TestPage {
    let person = try portal.keys(of: other).person
    return press(
      "/bells/ring", on: "/bells",
      ["to": person.description, "name": "Vera"].merging(fields) { $1 })
  }
}
