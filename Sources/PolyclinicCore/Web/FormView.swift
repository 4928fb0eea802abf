/// A form as it stands on a page: its fields with what is typed in them, and what is wrong.
struct FormView<Draft: Sendable> {
  let form: Form<Draft>
  var fields: Fields
  let context: Context
  var problems: [Problem] = []
  /// What is asked about before the form is taken.
  var doubts: [Problem] = []
  /// Said above the form: why it is shown again.
  var message: Text?
  /// The state that the form was filled in from; empty for something new.
  var version = ""
  var once = ""
  /// The state that somebody else has saved meanwhile.
  var other: Fields?
  /// What the form is about.
  var about: HTML?
  /// What can be had instead of what was asked for.
  var instead: [Choice] = []

  init(form: Form<Draft>, fields: Fields, context: Context) {
    self.form = form
    self.fields = fields
    self.context = context
  }

  /// The whole form, with its summary of errors above; without a button to leave it where `cancel` is nil.
  func html(
    submit: Text, cancel: Text? = "form.cancel", as kind: FormKind = .form
  ) throws -> HTML {
    let leave: HTML? = cancel.map {
      " <button class=\"button secondary\" name=\"cancel\" value=\"yes\" formnovalidate>\(context.text($0))</button>"
    }
    return """
      \(summary)\(notice)\(doubtNotice)\(try comparison())<form class="\(kind.name)" method="post" \
      action="\(context.request.path)"\(encoding)>\
      \(enterSaves)\(hidden)\(answeredDoubts)\(choicesInstead)\(about)\(try form.fields.map(view))<p class="actions">\
      <button class="\(kind.submitClass)">\(context.text(submit))</button>\(leave)</p></form>
      """
  }

  /// The scripts that make its fields more comfortable.
  var scripts: [StaticString] {
    var scripts: [StaticString] = []
    if hasRows { scripts.append("rows.js") }
    let controls = form.controls
    if controls.contains(where: \.isPassword) { scripts.append("password.js") }
    for case .suggestions(_, let script, _) in controls.compactMap(\.comfort) {
      scripts.append(script)
    }
    return scripts
  }

  /// "Discard?", with all that was typed kept for No.
  func discardQuestion() -> HTML {
    """
    <form class="question" method="post" action="\(context.request.path)">\
    <p>\(context.text("form.discard.question"))</p>\
    \(hidden)\(each: fields.pairs, { hiddenInput($0.name, $0.value) })<p class="actions">\
    <button class="button danger" name="discard" value="yes">\(context.text("form.yes"))</button> \
    <button class="button secondary" name="discard" value="no">\(context.text("form.no"))</button>\
    </p></form>
    """
  }

  private var encoding: HTML? {
    form.fileLimit == 0 ? nil : " enctype=\"multipart/form-data\""
  }

  /// One button each, which sends all that was typed along.
  private var choicesInstead: HTML? {
    if instead.isEmpty { return nil }
    return """
      <fieldset class="instead"><legend>\(context.text("form.instead"))</legend>\
      <p class="actions">\(each: instead, { choice in
        "<button class=\"button secondary\" name=\"instead\" value=\"\(choice.value)\">\(label(choice))</button> "
      })</p></fieldset>
      """
  }

  /// Enter presses a form's first button: without this one, that which removes the first row.
  private var enterSaves: HTML? {
    hasRows || !instead.isEmpty
      ? "<button class=\"hidden-text\" tabindex=\"-1\" aria-hidden=\"true\"></button>"
      : nil
  }

  private var hasRows: Bool {
    form.leaves.contains { if case .rows = $0 { true } else { false } }
  }

  private var hidden: HTML {
    """
    \(context.hiddenFields(once: once.isEmpty ? context.submissions.once : once))\
    \(context.visitor.map { hiddenInput(Context.personName, $0.name) })\
    \(version.isEmpty ? nil : hiddenInput("version", version))
    """
  }

  func hiddenInput(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }
}
