/// A question with Yes and No.
struct Question: FormAnswer {
  let title: Text
  let question: @Sendable (Context) throws -> HTML
  let yes: Text
  let cancel: Path
  let save: @Sendable (Context, Connection) throws -> Path

  func show(_ context: Context) throws -> Response { try page(context, nil, status: 200) }

  func submit(_ context: Context) throws -> Response {
    if context.request.fields.contains("cancel") { return .redirect(to: leaving(context)) }
    if let earlier = try context.earlierAnswer() { return .redirect(to: earlier) }
    do {
      return try context.answerOnce(save)
    } catch Refusal.conflict(let text) {
      return try page(context, text, status: 409)
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    try page(context, reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields { Fields() }

  private func leaving(_ context: Context) -> Path {
    cancel.filled(with: context.request.parameters).resolved(in: context.module)
  }

  private func page(_ context: Context, _ message: Text?, status: Int) throws -> Response {
    let notice: HTML? = message.map {
      "<div class=\"notice warning\" role=\"alert\"><p>\(context.text($0))</p></div>"
    }
    return .page(
      Page(
        title,
        """
        \(notice)<form class="question" method="post" action="\(context.request.path)">\
        \(try question(context))\(context.hiddenFields())\
        <p class="actions"><button class="button danger">\(context.text(yes))</button> \
        <button class="button secondary" name="cancel" value="yes">\
        \(context.text("form.no"))</button></p></form>
        """,
        width: .narrow),
      status: status)
  }
}
