import Logging
import PolyclinicCore

/// The proof that is asked for before a person erases the own account.
struct AccountDeletion: Sendable {
  var present = PresentPassword()
  var code = ""

  fileprivate static let form = Form<AccountDeletion>(
    AccountDeletion(), .part(\.present, PresentPassword.form))

  fileprivate static let formWithCode = Form<AccountDeletion>(
    AccountDeletion(), .part(\.present, PresentPassword.form), PasswordReset.codeField(\.code))
}

extension AccountsModule {
  /// Erasing oneself: the form, and after it a receipt in place of a redirect.
  var deletionRoute: Route {
    let path: StaticString = "delete"
    let forms = [AccountDeletion.form, AccountDeletion.formWithCode].map { form in
      Route.form(
        path, form, title: "delete.title", cancel: "", submit: "delete.submit",
        about: aboutDeletion, prepare: proveDeletion, save: confirmDeletion)
    }
    guard case .form(let plain) = forms[0].answer, case .form(let withCode) = forms[1].answer
    else { return forms[0] }
    return Route(
      path, access: .signedIn, answer: .form(DeletionAnswer(plain: plain, withCode: withCode)))
  }

  private func aboutDeletion(_ context: Context) throws -> HTML? {
    let front = try context.front()
    let modules = front.installation.members.filter { !$0.module.personalData.kept.isEmpty }
    let titles = modules.map { member in
      front.installation.wording(
        of: member.module.title.spoken(by: member.module.id), in: context.language) ?? ""
    }
    return """
      <p>\(context.text("delete.about"))</p>\
      <ul>\(each: titles.filter { !$0.isEmpty }, { "<li>\($0)</li>" })</ul>\
      <p>\(context.text("delete.others"))</p>\
      <p>\(context.text(try ErasureWords.backups(context)))</p>\
      <p><a href="/account/export">\(context.text("delete.copy"))</a></p>
      """
  }

  private func proveDeletion(_ form: inout AccountDeletion, _ context: Context) throws {
    try form.present.prove(context)
    guard let visit = context.visit else { throw Refusal.notFound }
    try CodeAttempt(visit: visit).require(form.code, of: context.keys.person)
  }

  /// The erasure itself follows the form's transaction, since it needs one of its own.
  private func confirmDeletion(
    _ form: AccountDeletion, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try form.present.requireStill(of: context.keys.person, on: connection)
    return ""
  }
}

/// Tells a person who is erased now from which day on no backup holds them.
private enum ErasureWords {
  static func backups(_ context: Context) throws -> Text {
    switch try context.front().instruments.files.forgetting(at: context.now) {
    case .never: return "delete.backups.none"
    case .unknown: return "delete.backups"
    case .at(let instant):
      let date = context.formats.date(context.formats.day(of: instant))
      return Text("delete.backups.until", ["date": date])
    }
  }
}

/// Erases the person whose form was right, and answers with the receipt.
private struct DeletionAnswer: FormAnswer {
  let plain: any FormAnswer
  let withCode: any FormAnswer

  private func form(_ context: Context) throws -> any FormAnswer {
    try context.hasSecondFactor ? withCode : plain
  }

  func show(_ context: Context) throws -> Response {
    let person = try context.keys.person
    // In a write transaction: what modules are asked may have to note something first.
    let obstacle = try context.database.write {
      try context.front().installation.obstacle(
        toErasing: person, at: context.now, on: $0)
    }
    return try obstacle.map { refused($0, context, status: 200) } ?? form(context).show(context)
  }

  func submit(_ context: Context) throws -> Response {
    let answer = try form(context).submit(context)
    guard answer.status == 303, !context.request.fields.contains("cancel"),
      let visit = context.visit
    else { return answer }
    do { return .page(try erase(visit, context)) } catch Refusal.conflict(let obstacle) {
      return refused(obstacle, context, status: 409)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try form(context).showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }

  private func erase(_ visit: Visit, _ context: Context) throws -> Page {
    let front = visit.front
    let person = try context.keys.person
    let administrator = Administrator(
      vault: front.vault, author: .person(person), now: context.now)
    var trouble: Erasure.Failure?
    var receipt: [UInt8] = []
    do {
      receipt = try Erasure(of: front).run {
        try administrator.erase(person, asking: front.installation, on: $0)
      }
    } catch let failure as Erasure.Failure {
      Logger(label: "erasure").error(
        "an erasure is not complete", metadata: ["reason": "\(failure)"])
      guard failure.isErased else { throw Refusal.conflict("delete.not-begun") }
      trouble = failure
    }
    front.securityLog.write(SecurityEvent(.erased, of: person), of: visit)
    let backups = try ErasureWords.backups(context)
    visit.forget()
    return Page(
      "delete.done",
      """
      <div class="notice success" role="status"><p>\(context.text("delete.done.about"))</p></div>\
      \(trouble == nil ? number(receipt, context) : unfinished(person, context))\
      <p>\(context.text(backups))</p>
      """, width: .entrance)
  }

  private func number(_ receipt: [UInt8], _ context: Context) -> HTML {
    """
    <dl class="details"><div><dt>\(context.text("delete.receipt"))</dt>\
    <dd><code dir="ltr">\(receipt.hexadecimalText)</code></dd></div><div>\
    <dt>\(context.text("delete.time"))</dt><dd>\(context.formats.dateTime(context.now))</dd></div></dl>\
    <p class="muted">\(context.text("delete.receipt.about"))</p>
    """
  }

  /// The erasure stands, and something on the server is still to be done.
  private func unfinished(_ person: ID<Person>, _ context: Context) -> HTML {
    "<p>\(context.text("delete.unfinished", ["number": person.description]))</p>"
  }

  private func refused(_ obstacle: Text, _ context: Context, status: Int) -> Response {
    .page(
      Page(
        "delete.first",
        "<div class=\"notice warning\" role=\"alert\"><p>\(context.text(obstacle))</p></div>",
        back: "/account"),
      status: status)
  }
}
