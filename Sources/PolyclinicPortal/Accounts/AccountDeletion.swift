import PolyclinicCore
import PolyclinicWeb

/// The form with which people delete their own account: the password, and a code if they have a
/// second factor. It answers with a receipt instead of a redirect.
struct AccountDeletion: RoutedForm {
  static let address: Address<Void> = "/account/delete"
  static let title: Text = "delete.title"
  static let form = Form(
    Draft(), .part(\.proof.currentPassword, CurrentPassword.form), confirmation)
  fileprivate static let formWithCode = Form(
    Draft(), .part(\.proof, SecondFactorProof.form), confirmation)
  static let submit: Text = "delete.submit"
  static let cancel = AccountPage.path
  static let preparesOnce = true
  static let isQuestion = true
  static var route: Route {
    Route(address.pattern, access: access, answer: .form(DeletionAnswer()))
  }

  struct Draft: Sendable {
    var proof = SecondFactorProof()
    var isConfirmed = false
  }

  private static let confirmation: Field<Draft> = .check(
    \.isConfirmed, "confirm", required: true
  ).labelled("delete.confirm")

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws {
      let installation = context.server.installation
      // Of the built-in modules only the profile is a page that patients know by its name.
      let modules = installation.members.filter {
        ($0.module.id == AccountsModule.moduleID || !$0.isBuiltIn)
          && !$0.module.personalData.kept.isEmpty
      }
      let titles = modules.map { member in
        installation.wording(
          of: member.module.title.spoken(by: member.module.id), in: context.language) ?? ""
      }
      let losses = try installation.lossNotices(ofErasing: context.keys.person, context)
      return """
        <p>\(context.text("delete.about"))</p>\
        <ul>\(each: titles.filter { !$0.isEmpty }, { "<li>\($0)</li>" })</ul>\(losses)\
        \(installation.retentionNotice(context))\
        <p>\(context.text("delete.others"))</p>\
        <p>\(context.text(try context.files.forgettingText(context)))</p>\
        <p><a href="\(ExportPage.path)">\(context.text("delete.copy"))</a></p>
        """
    }
  }

  /// Checks the password and the code. The code comes last, because the check uses it up.
  func prepare(_ draft: inout Draft, in context: Context) throws {
    try draft.proof.currentPassword.prove(in: context)
    let erasure = Erasure(of: context.server, context.files)
    do { try erasure.begin() } catch let failure as Erasure.Failure {
      failure.log()
      throw Refusal.conflict("delete.not-begun")
    }
    try CodeAttempt(context: context).require(draft.proof.code, of: context.keys.person)
  }

  /// Erases the person in the form's transaction, which has checked the session again. The redirect
  /// carries the receipt.
  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    let (server, person) = (context.server, try context.keys.person)
    try draft.proof.currentPassword.requireStill(of: person, on: context)
    var administrator = Administrator(
      vault: server.vault, author: .person(person), now: context.now)
    let receipt = try administrator.erase(person, asking: server.installation, on: context)
    var effects = Effects()
    (effects.session, effects.clearsSiteData) = (.ends, true)
    return Redirect(to: "/", effects).showing(receipt.hexadecimalText)
      .logging(SecurityEvent(.erased, of: person))
  }
}

extension InstallationFiles {
  /// The sentence that says when the last backup with the person's data will be deleted.
  fileprivate func forgettingText(_ context: Context) throws -> Text {
    switch forgetting(at: context.now, machines: try Machine.all(on: context)) {
    case .never: return "delete.backups.none"
    case .unknown: return "delete.backups"
    case .at(let instant):
      let date = context.formats.date(context.formats.day(of: instant))
      return Text("delete.backups.until", ["date": date])
    }
  }
}

/// Shows the form, erases the person after a valid submission, and answers with a receipt.
private struct DeletionAnswer: FormAnswer {
  private func form(_ context: Context) throws -> any FormAnswer {
    FormPage(
      AccountDeletion.self,
      fields: try context.hasSecondFactor ? AccountDeletion.formWithCode : AccountDeletion.form)
  }

  func show(_ context: Context) throws -> Response {
    let person = try context.keys.person
    // A write transaction, because a module may have to store something before it answers.
    let obstacle = try context.write {
      try context.server.installation.obstacle(toErasing: person, in: $0)
    }
    guard let obstacle else { return try form(context).show(context) }
    return .page(
      Page("delete.first", context.notice(.problem, obstacle), back: AccountPage.path))
  }

  /// Answers with the receipt, which the form's answer carries only if its transaction has erased
  /// the person.
  func submit(_ context: Context) throws -> Response {
    let answer = try form(context).submit(context)
    guard let effects = answer.effects, let receipt = effects.secret else { return answer }
    let facts = context.facts([
      HTML.Fact("delete.receipt", "<code dir=\"ltr\">\(receipt)</code>"),
      HTML.Fact("delete.time", "\(context.formats.dateTime(context.now))"),
    ])
    var outcome: HTML =
      "\(facts)<p class=\"muted\">\(context.text("delete.receipt.about"))</p>"
    do { try Erasure(of: context.server, context.files).finish() } catch let failure
      as Erasure.Failure
    {
      failure.log()
      // The person is erased, but the server has not finished cleaning up.
      let person = ["number": try context.keys.person.description]
      outcome = "<p>\(context.text("delete.unfinished", person))</p>"
    }
    let page = Page(
      "delete.done",
      """
      \(context.notice(.outcome, "delete.done.about"))\(outcome)\
      \(context.server.installation.retentionNotice(context))\
      <p>\(context.text(try context.files.forgettingText(context)))</p>
      """, width: .entrance)
    return Response.page(page).with(effects)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form(context).showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }
}
