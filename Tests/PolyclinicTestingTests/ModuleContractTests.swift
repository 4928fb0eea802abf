import PolyclinicCore
import PolyclinicTesting
import Testing

/// The checks of the module contract about other people, reads, jobs and the export, each with a
/// module that fails it.
@Suite struct ModuleContractTests {
  private func broken(_ module: DiaryModule) -> [String] {
    ModuleContract(module) { person in
      _ = try person.submit("/diary/new", ["text": "Slept well"])
    }.broken()
  }

  @Test func `a module without a fault passes`() {
    #expect(broken(DiaryModule()) == [])
  }

  // MARK: Other people

  @Test func `a button that deletes another person's row by its number is reported`() {
    let module = DiaryModule(deletion: { id, _ in "DELETE FROM diary WHERE id_entry = \(id)" })
    #expect(
      broken(module) == ["POST /diary/1/delete by another person changes rows of diary"])
  }

  @Test func `a form whose save deletes everybody's rows is reported`() {
    let module = DiaryModule(beforeSaving: { _ in "DELETE FROM diary" })
    #expect(broken(module) == ["another person who stores something changes rows of diary"])
  }

  @Test func `a route without a button that changes everybody's rows is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .post("shout") { work in
        try work.run("UPDATE diary SET text = upper(text)")
        return ""
      }
    ])
    #expect(broken(module) == ["POST /diary/shout by another person changes rows of diary"])
  }

  @Test func `a page that shows other people's rows is reported`() {
    let module = DiaryModule(list: { _ in "SELECT id_entry, text FROM diary" })
    #expect(broken(module).contains("GET /diary shows to another person what a person typed"))
  }

  @Test func `a page of a record that anybody can open by its number is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .get("{id}") { context in
        let id: ID<DiaryEntry> = try context.id()
        let text = try context.row("SELECT text FROM diary WHERE id_entry = \(id)") { $0.string(0) }
        guard let text else { throw Refusal.notFound }
        return .page("title", "<p>\(text)</p>")
      }
    ])
    #expect(broken(module) == ["GET /diary/1 shows to another person what a person typed"])
  }

  @Test func `a page of staff that shows what patients typed is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .get("patients", access: .role(.doctor)) { context in
        let texts = try context.rows("SELECT text FROM diary") { $0.string(0) }
        return .page("title", "<p>\(texts.joined(separator: ", "))</p>")
      }
    ])
    #expect(
      broken(module) == [
        "/diary/patients shows to the role doctor what a patient typed, "
          + "but the privacy page says that nobody else reads it"
      ])
  }

  @Test func `an export with everybody's rows is reported`() {
    let module = DiaryModule(export: { work, copy in
      let texts = try work.rows("SELECT text FROM diary") { JSON.string($0.string(0)) }
      try copy.write("entries", .array(texts))
    })
    #expect(broken(module) == ["the export of another person has what a person typed"])
  }

  // MARK: Guardians

  /// Returns the visitor of a request, who may be a guardian of the person whose data it is about.
  private static func visitor(_ context: Context) throws -> ID<Person> {
    try context.signedIn().person
  }

  @Test func `a page of a person in care that shows the guardian's rows is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .get("count") { context in
        let count = try context.integer(
          "SELECT count(*) FROM diary WHERE person = \(try Self.visitor(context))")
        return .page("title", "<p>\(count ?? 0)</p>")
      }
    ])
    #expect(
      broken(module) == [
        "GET /diary/count for a person in care depends on what the guardian has stored "
          + "for themselves"
      ])
  }

  @Test func `a button that stores for the guardian in place of the person is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .post("yawn") { context in
        try context.run(
          """
          INSERT INTO diary (person, text, created_at)
          VALUES (\(try Self.visitor(context)), 'Yawned', \(context.now))
          """)
        return ""
      }
    ])
    let told = ModuleContract(module) { person in
      _ = try person.submit("/diary/new", ["text": "Slept well"])
      _ = person.press("/diary/yawn", on: "/", evenIfAbsent: true)
    }.broken()
    #expect(
      told.contains(
        "what a guardian stores for a person in care changes the guardian's own rows of diary"))
  }

  @Test func `a button that guardians are refused though it is for them is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .post("yawn") { context in
        guard try context.keys.person == Self.visitor(context) else { throw Refusal.forbidden }
        return ""
      }
    ])
    let told = ModuleContract(module) { person in
      _ = try person.submit("/diary/new", ["text": "Slept well"])
      _ = person.press("/diary/yawn", on: "/", evenIfAbsent: true)
    }.broken()
    #expect(
      told == [
        "POST /diary/yawn is refused to a guardian of all rights, who may send it for themselves"
      ])
  }

  @Test func `a button that is not for guardians is pressed by the person`() {
    let module = DiaryModule(furtherRoutes: [
      Route.post("yawn") { context in
        guard try context.keys.person == Self.visitor(context) else { throw Refusal.forbidden }
        return ""
      }.forGuardians(.nothing("title"))
    ])
    let told = ModuleContract(module) { person in
      _ = try person.submit("/diary/new", ["text": "Slept well"])
      _ = person.press("/diary/yawn", on: "/privacy", evenIfAbsent: true)
    }.broken()
    #expect(told == [])
  }

  // MARK: Reads

  @Test func `a page that writes when it is read is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .get("touch") { context in
        try context.write { try $0.run("UPDATE diary SET created_at = created_at + 1") }
        return .page("title", "<p>Touched</p>")
      }
    ])
    #expect(broken(module).contains("GET /diary/touch changes rows of diary"))
  }

  @Test func `a link to an absent page is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .get("more") { _ in .page("title", "<a href=\"/diary/9/edit\">Edit</a>") }
    ])
    let told = broken(module)
    #expect(told.first?.hasPrefix("/diary/more links to /diary/9/edit, which answers 404") == true)
  }

  @Test func `markup that a page shows as text is reported`() {
    let module = DiaryModule(furtherRoutes: [
      .get("bold") { _ in
        let text = "<b>yes</b>"
        return .page("title", "<p>\(text)</p>")
      }
    ])
    #expect(broken(module) == ["/diary/bold shows the markup <b> as text"])
  }

  // MARK: Jobs

  /// Returns a module with a job that reminds everybody who has written something.
  private func reminding(
    once: String?, leadingTo path: Path = "", next: Seconds = .days(1)
  ) -> DiaryModule {
    let job = Job("remind") { portal in
      try portal.write { work in
        let people: [ID<Person>] = try work.rows("SELECT person FROM diary") { $0.id(0) }
        let notice = Notice(.reminder, "reminder", leadingTo: path, once: once)
        for person in people { try portal.notify(person, notice, in: work) }
      }
      return portal.now + next
    }
    return DiaryModule(jobs: [job])
  }

  @Test func `a job that reminds once passes`() {
    #expect(broken(reminding(once: "written")) == [])
  }

  @Test func `a job that reminds at each run is reported`() {
    #expect(
      broken(reminding(once: nil)) == [
        "the job “remind” sends a notice again when it runs again: `once` prevents it"
      ])
  }

  @Test func `a job that is due again at once is reported`() {
    #expect(
      broken(reminding(once: "written", next: .seconds(0))) == [
        "the job “remind” returns a time that is not later than now"
      ])
  }

  @Test func `a notice that leads to an absent page is reported`() {
    let told = broken(reminding(once: "written", leadingTo: "1"))
    #expect(
      told.first?.hasPrefix("the notice “Write something” leads to /diary/1, which answers 404")
        == true)
  }

  // MARK: Export

  @Test func `a file of the export that fails is reported`() {
    let torn = ExportFile("diary.txt") { _, _, _ in throw Failure(reason: "torn") }
    let told = #"the file diary.txt of the export fails: Failure(reason: "torn")"#
    let expected = [told, "of a person without an account, \(told)"]
    #expect(broken(DiaryModule(files: [torn])) == expected)
    #expect(broken(DiaryModule(attachments: { _ in [torn] })) == expected)
  }

  @Test func `two files of the export with one name are reported`() {
    let file = ExportFile("diary.txt") { try $2.write("text".utf8) }
    #expect(
      broken(DiaryModule(files: [file, file])).first
        == "two files of the export have the name diary.txt")
  }

  @Test func `FHIR that fails is reported`() {
    let module = DiaryModule(fhir: { _, _ in throw Failure(reason: "no code") })
    #expect(
      broken(module).first == #"the FHIR of the export fails: Failure(reason: "no code")"#)
  }

  @Test(arguments: [
    ([["id": "1"]], "a FHIR resource of the export has no resourceType"),
    ([["resourceType": "Basic"]], "a FHIR resource Basic of the export has no valid id"),
    (
      [["resourceType": "Basic", "id": "a b"]],
      "a FHIR resource Basic of the export has no valid id"
    ),
    (
      [["resourceType": "Basic", "id": "1"], ["resourceType": "Basic", "id": "1"]],
      "two FHIR resources of the export are Basic/1"
    ),
  ])
  func `FHIR without a type or an own id is reported`(
    _ resources: [[String: String]], _ told: String
  ) {
    let module = DiaryModule(fhir: { _, copy in
      for resource in resources {
        try copy.append(
          .object(resource.sorted { $0.key > $1.key }.map { .init($0.key, .string($0.value)) }))
      }
    })
    #expect(broken(module).first == told)
  }

  @Test func `an export without a text that was typed is reported`() {
    let module = DiaryModule(export: { work, copy in
      let entries = try work.rows("SELECT id_entry FROM diary WHERE person = \(work.keys.person)") {
        JSON.integer(Int64($0.int(0)))
      }
      try copy.write("entries", .array(entries))
    })
    #expect(broken(module) == ["the export lacks what is typed as “text”"])
  }

  // MARK: Errors

  @Test func `an error in a check is returned as a sentence`() {
    let told = ModuleContract(DiaryModule()) { _ in throw Failure(reason: "no clinic") }.broken()
    let first = #"the closure of ModuleContract: Failure(reason: "no clinic")"#
    #expect(told.first == first && told.count > 1)
  }

  @Test func `a portal is prepared before something is stored`() {
    var order: [String] = []
    let contract = ModuleContract(
      DiaryModule(), prepare: { _ in order.append("prepared") },
      fill: { person in
        order.append("filled")
        _ = try person.submit("/diary/new", ["text": "Slept well"])
      })
    #expect(contract.broken() == [] && order.prefix(2) == ["prepared", "filled"])
  }
}
