import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// Links that nobody has used yet, and those who have used one.
extension GuardianTests {
  private static let people = "/account/people"
  private static let cancelling = "/account/people/links/cancel"

  private func offer(_ scope: String, of visitor: TestVisitor) throws -> String {
    try visitor.submit("\(Self.people)/access", ["scope": scope]).guardianLink()
  }

  /// Returns the values of the hidden field of each button that cancels a link.
  private func cancellable(by visitor: TestVisitor) -> [String] {
    visitor.get(Self.people).body.matches(of: /name="link" value="([0-9a-f]+)"/).map {
      String($0.1)
    }
  }

  /// Cancels a link by its button, or without it.
  private func cancel(_ link: String, by visitor: TestVisitor) -> TestPage {
    visitor.press(Self.cancelling, on: Self.people, ["link": link], evenIfAbsent: true)
  }

  // MARK: Unused links

  @Test func `access that is taken back comes back by no link made before`() throws {
    let patient = filled.patient
    let (anna, prefix) = try guardian(.book)
    let wider = try offer("read", of: patient)
    let guardian = try portal.person(of: anna)
    #expect(try patient.submit("\(Self.people)/\(guardian)/withdraw", [:]).status == 303)
    #expect(anna.get(wider).status == 410)
    #expect(anna.get("\(prefix)/health-metrics").status == 404)
    let stranger = try portal.register()
    #expect(stranger.get(wider).status == 410)
    #expect(!patient.get(Self.people).contains("works until"))
  }

  @Test func `a link that nobody has used is listed, and is dead once it is cancelled`() throws {
    let (patient, anna) = (filled.patient, try portal.register(login: "anna"))
    let link = try offer("read", of: patient)
    let words = "Link for “Read all records, and book”, made 4 May 2026, works until 11 May 2026"
    let list = patient.get(Self.people)
    #expect(list.hasRow(words) && list.hasButton("Cancel the link"))
    let open = anna.get(link)
    let id = try #require(cancellable(by: patient).first)
    #expect(cancel(id, by: anna).status == 303)
    #expect(patient.get(Self.people).hasRow(words))
    #expect(cancel(id, by: patient).status == 303)
    #expect(!patient.get(Self.people).contains("works until"))
    #expect(anna.get(link).status == 410)
    #expect(anna.post(link, pairs: open.hidden(of: link)).status == 410)
    // A second press changes nothing.
    #expect(cancel(id, by: patient).status == 303)
  }

  @Test func `a question to an adult is listed and cancelled by its maker`() throws {
    let anna = try portal.register(login: "anna")
    let link = try anna.submit("\(Self.people)/ask", [:]).guardianLink()
    #expect(anna.get(Self.people).contains("with which you ask to act for somebody"))
    #expect(cancel(try #require(cancellable(by: anna).first), by: anna).status == 303)
    #expect(filled.patient.get(link).status == 410)
  }

  @Test func `each parent sees and cancels a link to the child's data`() throws {
    let (anna, boris) = (try parent(), try parent("Boris"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try boris.submit(invitation(to: person, of: anna), [:]).status == 303)
    let second = try invitation(to: person, of: anna)
    let words =
      "Link for another parent or guardian, “Read and change all records, and book”, "
      + "made 4 May 2026, works until 11 May 2026"
    #expect(anna.get(Self.people).contains(words) && boris.get(Self.people).contains(words))
    #expect(cancel(try #require(cancellable(by: boris).first), by: boris).status == 303)
    #expect(try parent("Vera").get(second).status == 410)
  }

  @Test func `a parent's unused link ends when the child has an account`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let link = try invitation(to: mia.dropFirst("/for/".count), of: anna)
    let visitor = portal.visitor()
    let account = try accountLink(byClinicFor: mia.dropFirst("/for/".count))
    #expect(try visitor.submit(account, Self.account).status == 303)
    #expect(try parent("Boris").get(link).status == 410)
    #expect(cancellable(by: anna).isEmpty)
  }

  @Test func `a new link says for whom it is and how far it goes`() throws {
    let fields = ["scope": "read", "until": "2027-01-31"]
    let made = try filled.patient.submit("\(Self.people)/access", fields)
    #expect(made.contains("Whoever accepts this link may act for you"))
    #expect(made.contains("<div class=\"qr\"><svg"))
    #expect(made.contains("Read all records, and book") && made.contains("until 31 January 2027"))
    let anna = try parent()
    let mia = try child(of: anna)
    let form = "\(Self.people)/\(mia.dropFirst("/for/".count))/invite"
    let invited = try anna.submit(form, ["scope": "all"])
    #expect(invited.text.contains("may act for Mia Cohen:"))
    #expect(invited.text.contains("Read and change all records, and book"))
    let accepting = anna.get(try offer("book", of: filled.patient))
    #expect(accepting.text.contains("lets you act for them"))
  }

  // MARK: Before signing in

  @Test func `sign-in and registration say that an invitation waits, and then lead to it`() throws {
    let olga = try parent()
    let mia = try child(of: olga)
    let link = try invitation(to: mia.dropFirst("/for/".count), of: olga)
    let waits = "You were invited to act for somebody."
    let stranger = portal.visitor()
    let asked = stranger.get(link)
    #expect(asked.status == 303)
    let signIn = stranger.get(asked.location)
    #expect(signIn.hasNotice(.plain, waits))
    let wrong = try stranger.submit(asked.location, ["login": "boris", "password": "wrong"])
    #expect(wrong.status == 422 && wrong.hasNotice(.plain, waits))
    let address = signIn.main.all("a").compactMap { $0.attributes["href"] }
      .first { $0.hasPrefix("/register?next=") }
    let registration = try #require(address)
    let form = stranger.get(registration)
    #expect(form.hasNotice(.plain, waits))
    for page in [signIn, wrong, form] {
      #expect(!page.contains("Mia") && !page.contains("Olga") && !page.contains("Cohen"))
    }
    let registered = try stranger.submit(registration, TestVisitor.registration(login: "boris"))
    #expect(registered.status == 303 && registered.location == link)
    #expect(stranger.get(link).contains("Olga Cohen lets you act for Mia Cohen:"))
    let member = portal.visitor()
    let fields = ["login": "boris", "password": TestVisitor.password]
    let signedIn = try member.submit(member.get(link).location, fields)
    #expect(signedIn.status == 303 && signedIn.location == link)
  }

  @Test func `sign-in says that a question waits, and says nothing before other pages`() throws {
    let link = try parent().submit("\(Self.people)/ask", [:]).guardianLink()
    let stranger = portal.visitor()
    let signIn = stranger.get(stranger.get(link).location)
    #expect(signIn.hasNotice(.plain, "Somebody asks to act for you."))
    #expect(!signIn.contains("Olga"))
    let other = stranger.get(stranger.get(Self.people).location)
    #expect(other.status == 200 && !other.contains("Somebody asks to act for you."))
  }

  // MARK: Used links

  @Test func `a used link leads whoever has used it to the person's pages`() throws {
    let anna = try portal.register(login: "anna")
    let link = try offer("read", of: filled.patient)
    #expect(try anna.submit(link, [:]).status == 303)
    let again = anna.get(link)
    let person = try portal.person(of: filled.patient)
    #expect(again.text.contains("You act for") && again.hasLink(to: "/for/\(person)/"))
    let gone = try portal.register().get(link)
    #expect(gone.status == 410 && gone.contains("it was not copied completely"))
    let guardian = try portal.person(of: anna)
    #expect(try filled.patient.submit("\(Self.people)/\(guardian)/withdraw", [:]).status == 303)
    #expect(anna.get(link).status == 410)
  }

  @Test func `the parents of a child are told by name who acts for it too`() throws {
    let (anna, boris) = (try parent(), try parent("Boris"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try boris.submit(invitation(to: person, of: anna), [:]).status == 303)
    #expect(
      anna.get("/notifications").contains("Boris Cohen also acts for Mia Cohen from now on"))
    let list = anna.get(Self.people)
    #expect(list.contains("Also acts: Boris Cohen, since 4 May 2026 · Read and change all records"))
    let until = "You can stop Boris Cohen until 11 May 2026 at 12:00. After that, ask the clinic."
    #expect(list.contains(until) && !list.contains("Wrong person? Ask the clinic."))
    let other = boris.get(Self.people)
    #expect(other.contains("Also acts: Olga Cohen") && !other.contains("You can stop"))
    #expect(other.contains("Wrong person? Ask the clinic."))
    #expect(try boris.submit("\(Self.people)/\(person)/leave", [:]).status == 303)
    #expect(
      anna.get("/notifications").contains("Boris Cohen does not act for Mia Cohen any more"))
  }

  @Test func `within a week, a parent stops whom their own link has let in, and nobody else`()
    throws
  {
    let (anna, boris) = (try parent(), try parent("Boris"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try boris.submit(invitation(to: person, of: anna), [:]).status == 303)
    let undo = try #require(anna.get(Self.people).undoing)
    #expect(boris.get(Self.people).undoing == nil)
    #expect(boris.get(undo).status == 404)
    let spare = try invitation(to: person, of: anna)
    let question = anna.get(undo)
    #expect(question.contains("Boris Cohen has used your link"))
    #expect(try anna.submit(undo, [:]).status == 303)
    #expect(boris.get("\(mia)/").status == 404)
    #expect(boris.get(spare).status == 410)
    #expect(anna.get(undo).status == 404)
    #expect(anna.get("\(mia)/").status == 200)
  }

  @Test func `after a week, only the clinic ends what a parent's link has given`() throws {
    let (anna, boris) = (try parent(), try parent("Boris"))
    let mia = try child(of: anna)
    let link = try invitation(to: mia.dropFirst("/for/".count), of: anna)
    #expect(try boris.submit(link, [:]).status == 303)
    let undo = try #require(anna.get(Self.people).undoing)
    portal.now = portal.now + .days(7) + .minutes(1)
    #expect(try anna.signIn(anna.login).status == 303)
    let list = anna.get(Self.people)
    #expect(list.undoing == nil && list.contains("Wrong person? Ask the clinic."))
    #expect(anna.get(undo).status == 404)
  }

  // MARK: Fewer rights

  @Test func `a parent lets somebody only book for a child, and ends that after years`() throws {
    let (anna, vera) = (try parent(), try parent("Vera"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let link = try invitation(to: person, of: anna, .book)
    let books = "Appointments only: book, move and cancel"
    #expect(anna.get(Self.people).contains("guardian, “\(books)”, made"))
    let question = vera.get(link)
    #expect(question.contains(books))
    #expect(!question.contains("all records"))
    #expect(try vera.submit(link, [:]).status == 303)
    #expect(vera.get(Self.people).hasNotice(.success, "You act for this person now."))
    #expect(vera.get("\(mia)/appointments").status == 200)
    #expect(vera.get("\(mia)/health-metrics").status == 403)
    try set("2028-05-04T12:00:00+03:00", anna, vera)
    let list = anna.get(Self.people)
    #expect(list.contains("Also acts: Vera Cohen, since 4 May 2026 · \(books)"))
    #expect(vera.get(Self.people).undoing == nil)
    let undo = try #require(list.undoing)
    #expect(vera.get(undo).status == 404)
    #expect(try anna.submit(undo, [:]).status == 303)
    #expect(anna.get(Self.people).hasNotice(.success, "This person does not act any more."))
    #expect(vera.get("\(mia)/appointments").status == 404)
    #expect(vera.get(Self.people).hasRow("You acted for this person · Taken back"))
  }

  @Test func `nobody gives more rights than their own, and no other parent ends fewer`() throws {
    let (anna, boris, vera) = (try parent(), try parent("Boris"), try parent("Vera"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try boris.submit(invitation(to: person, of: anna), [:]).status == 303)
    #expect(try vera.submit(invitation(to: person, of: anna, .read), [:]).status == 303)
    let form = "\(Self.people)/\(person)/invite"
    let open = vera.get(form)
    #expect(open.offers("Read all records, and book", in: "scope"))
    #expect(!open.offers("Read and change all records, and book", in: "scope"))
    #expect(try vera.submit(form, ["scope": "all"]).refuses("scope"))
    #expect(boris.get(Self.people).undoing == nil)
    let guardian = try portal.person(of: vera)
    #expect(boris.get("\(Self.people)/\(person)/undo?guardian=\(guardian)").status == 404)
  }

  @Test func `a parent of an older child passes on what the age has left`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let form = "\(Self.people)/\(mia.dropFirst("/for/".count))/invite"
    #expect(try anna.submit(form, [:]).refuses("scope"))
    portal.now = portal.now + .days(5 * 366)
    #expect(try anna.signIn(anna.login).status == 303)
    let open = anna.get(form)
    #expect(open.offers("Appointments only: book, move and cancel", in: "scope"))
    #expect(!open.offers("Read all records, and book", in: "scope"))
    #expect(try anna.submit(form, ["scope": "all"]).refuses("scope"))
  }

  @Test func `whom the wrong person has invited loses the access with that person`() throws {
    let (anna, boris, vera) = (try parent(), try parent("Boris"), try parent("Vera"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try boris.submit(invitation(to: person, of: anna), [:]).status == 303)
    #expect(try vera.submit(invitation(to: person, of: boris), [:]).status == 303)
    let form = "\(Self.people)/\(person)/undo?guardian=\(try portal.person(of: boris))"
    #expect(anna.get(form).contains("and lose theirs too: Vera Cohen."))
    let block = "/admin/people/\(person)/guardians/block?guardian=\(try portal.person(of: boris))"
    let question = try portal.administrator().get(block)
    #expect(question.contains("not blocked by this: Vera Cohen."))
    #expect(try anna.submit(form, [:]).status == 303)
    for guardian in [boris, vera] { #expect(guardian.get("\(mia)/").status == 404) }
    #expect(anna.get("\(mia)/").status == 200)
  }

  @Test func `a child with an account invites others alone`() throws {
    let family = try family()
    let form = "\(Self.people)/\(family.person)/invite"
    #expect(family.parent.get(form).status == 409)
    #expect(!family.parent.get(Self.people).hasLink(to: form))
  }

  @Test func `a parent with all rights does not leave a child to somebody with fewer`() throws {
    let (anna, vera) = (try parent(), try parent("Vera"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try vera.submit(invitation(to: person, of: anna, .read), [:]).status == 303)
    #expect(try anna.submit("\(Self.people)/\(person)/leave", [:]).status == 409)
    #expect(anna.get("/account/delete").hasNotice(.warning, "Nobody else acts for 1 child"))
    #expect(try vera.submit("\(Self.people)/\(person)/leave", [:]).status == 303)
    let left = vera.get(Self.people)
    #expect(left.hasNotice(.success, "You do not act for this person any more."))
  }

  @Test func `who only reads makes no account for a child`() throws {
    let (anna, vera) = (try parent(), try parent("Vera"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    #expect(try vera.submit(invitation(to: person, of: anna, .read), [:]).status == 303)
    try set("2032-03-04T12:00:00+03:00", vera)
    try letReadOn(vera, for: person)
    #expect(vera.get("\(mia)/health-metrics").status == 200)
    let account = "\(Self.people)/\(person)/account"
    #expect(vera.get(account).status == 409)
    #expect(!vera.get(Self.people).hasLink(to: account))
  }

  // MARK: Changed rights

  @Test func `an adult changes how far somebody acts for them, without a link`() throws {
    let (anna, prefix) = try guardian(.book)
    let change = "\(Self.people)/\(try portal.person(of: anna))/change"
    #expect(anna.get("\(prefix)/health-metrics").status == 403)
    #expect(filled.patient.get(Self.people).hasLink(to: change))
    let fields = ["scope": "read", "until": "2026-05-10"]
    #expect(try filled.patient.submit(change, fields).status == 303)
    #expect(anna.get("\(prefix)/health-metrics").status == 200)
    let told = anna.get("/notifications")
    #expect(told.contains("Until 10 May 2026, you may act for"))
    #expect(told.contains("book appointments and read all records"))
    let past = ["scope": "read", "until": "2026-05-01"]
    #expect(try filled.patient.submit(change, past).refuses("until"))
    // The form shows the present choice.
    #expect(filled.patient.get(change).contains("2026-05-10"))
    portal.now = portal.now + .days(7)
    #expect(try anna.signIn(anna.login).status == 303)
    #expect(anna.get("\(prefix)/health-metrics").status == 404)
  }

  @Test func `nobody but the person changes a right, and no child that of a parent`() throws {
    let (anna, prefix) = try guardian(.book)
    #expect(anna.get("\(Self.people)/\(prefix.dropFirst("/for/".count))/change").status == 404)
    let family = try family()
    let parent = try portal.person(of: family.parent)
    #expect(family.child.get("\(Self.people)/\(parent)/change").status == 404)
  }

  // MARK: Words

  @Test func `a refusal says what the guardian may do, and that an age has decided it`() throws {
    let (anna, prefix) = try guardian(.book)
    let booking = "but not open or change the records"
    #expect(anna.get("\(prefix)/health-metrics").contains(booking))
    #expect(anna.get("\(prefix)/health-metrics/weights/new").contains(booking))
    let family = try family()
    let mia = family.prefix
    try set("2030-03-04T12:00:00+03:00", family.parent, family.child)
    let refused = family.parent.get("\(mia)/health-metrics")
    #expect(refused.status == 403 && refused.contains("At this age a parent only books"))
    #expect(family.parent.get(Self.people).contains("At this age a parent only books"))
    let own = "\(Self.people)/\(try portal.person(of: family.parent))/agree"
    #expect(try family.child.submit(own, ["scope": "read"]).status == 303)
    let form = family.parent.get("\(mia)/health-metrics/weights/new")
    #expect(form.status == 403 && form.contains("but not change them"))
  }

  @Test func `a parent reads from which age on they only book, in the form and in the list`() throws
  {
    let anna = try parent()
    let age = "From the age of 11 on, a parent only books appointments"
    let form = anna.get("\(Self.people)/child")
    #expect(form.contains(age) && form.contains("Then ask them for a link instead."))
    _ = try child(of: anna)
    #expect(
      anna.get(Self.people).contains("from the birthday on 4 March 2030: only appointments"))
  }

  @Test func `a blocked parent is told so by the child's name, and so are the others`() throws {
    let (anna, boris) = (try parent(), try parent("Boris"))
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let link = try invitation(to: person, of: anna)
    let offered = boris.get(link)
    #expect(offered.contains("Olga Cohen lets you act for Mia Cohen:"))
    #expect(offered.contains("Read and change all records, and book"))
    #expect(offered.contains("At the age of 18, a parent’s right to act for a child ends."))
    #expect(try boris.submit(link, [:]).status == 303)
    let administrator = try portal.administrator()
    let page = administrator.get("/admin/people/\(person)/guardians")
    #expect(page.heading == "People who act for Mia Cohen")
    let question = "/admin/people/\(person)/guardians/block"
    let guardian = try portal.person(of: boris)
    #expect(page.hasLink(to: "\(question)?guardian=\(guardian)"))
    let asked = administrator.get("\(question)?guardian=\(guardian)")
    #expect(asked.contains("Boris Cohen will not open the pages of Mia Cohen any more"))
    #expect(boris.get("\(mia)/").status == 200)
    #expect(administrator.get(question).status == 404)
    #expect(try block(boris, for: person, by: administrator).status == 303)
    let ended = "The clinic has ended your access to the pages of Mia Cohen"
    #expect(boris.get("/notifications").contains(ended))
    #expect(anna.get("/notifications").contains("ended the access of Boris Cohen"))
  }

  @Test func `the only guardian reads why they cannot stop before anything is asked`() throws {
    let anna = try parent()
    let mia = try child(of: anna)
    let person = mia.dropFirst("/for/".count)
    let page = anna.get("\(Self.people)/\(person)/leave")
    #expect(page.status == 409 && page.contains("Nobody else has your rights for this child"))
    #expect(page.hasLink(to: "\(Self.people)/\(person)/invite"))
  }

  @Test func `a child reads that a parent's right is the clinic's to end`() throws {
    let family = try family()
    let page = family.child.get(Self.people)
    #expect(page.contains("A parent may act for you until you are of age"))
    #expect(!family.parent.get(Self.people).contains("until you are of age"))
    // A minor seldom has a child.
    #expect(page.addingChild?.hasClass("secondary") == true)
    #expect(family.parent.get(Self.people).addingChild?.hasClass("secondary") == false)
  }
}

extension TestPage {
  /// The button with which a parent enters a child.
  fileprivate var addingChild: TestElement? {
    main.first { $0.attributes["href"] == "/account/people/child" }
  }

  /// The path of the first question whether to stop somebody whom a link has let in.
  fileprivate var undoing: String? {
    body.firstMatch(of: #//account/people/\d+/undo\?guardian=\d+/#).map { String($0.output) }
  }
}
