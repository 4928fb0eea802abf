/// The markup of a form with its typed values and its validation errors.
package struct FormView<Draft: Sendable> {
  let form: Form<Draft>
  var fields: Fields
  let context: Context
  /// The kind of page, which decides the look of the form.
  var kind = FormKind.form
  package var problems: [Fields.Problem] = []
  /// Warnings that the user must confirm before the form is saved.
  var doubts: [Fields.Problem] = []
  /// The reason why the form is shown again.
  package var message: Text?
  /// The fingerprint of the record that the form was filled in from; empty for a new record.
  var version = ""
  var once = ""
  /// The values that another user has saved in the meantime.
  var other: Fields?
  /// The content above the fields.
  var about: HTML?
  /// The alternatives to a refused choice.
  var instead: [Choice] = []

  package init(form: Form<Draft>, fields: Fields, context: Context) {
    self.form = form
    self.fields = fields
    self.context = context
  }

  /// Returns the whole form with its error summary; without a cancel button if `cancel` is nil.
  func html(submit: Text, again: Text? = nil, cancel: Text? = nil) throws -> HTML {
    """
    \(summary)\(notice)\(doubtNotice)\(try comparison())<form class="\(kind.name)" method="post" \
    action="\(context.request.path)"\(encoding)>\
    \(enterSaves)\(hidden)\(answeredDoubts)\(choicesInstead)\(about)\(try form.fields.map(view))\
    \(patient)\(actions:
        context.submit(submit, style: kind.submitStyle),
        again.map { context.submit($0, name: "again", style: .secondary) }, cancel.map { context.cancelButton($0) })</form>
    """
  }

  /// The style sheets and scripts that its fields use.
  var assets: [Page.Asset] {
    let controls = form.controls
    return (hasRows ? Page.Asset.rows : [])
      + (controls.contains(where: \.isPassword) ? Page.Asset.password : [])
      + (controls.contains(where: \.suggestsCities) ? [.cities] : [])
  }

  /// Returns the question "Discard?", with hidden inputs that keep all values for No.
  func discardQuestion() -> HTML {
    """
    <form class="question" method="post" action="\(context.request.path)">\
    <p>\(context.text("form.discard.question"))</p>\
    \(hidden)\(each: fields.pairs, { hiddenInput($0.name, $0.value) })\
    \(actions:
      context.submit("form.discard.yes", name: "discard", style: .danger),
      context.submit("form.discard.no", name: "discard", value: "no", style: .secondary))</form>
    """
  }

  /// The name of the person in care whom the form is about, beside its button; nil for the visitor's
  /// own.
  private var patient: HTML? {
    context.visitor?.inCare.map {
      "<p><strong>\(context.text("form.patient", ["name": $0.name]))</strong></p>"
    }
  }

  private var encoding: HTML? {
    form.fileLimit == 0 ? nil : " enctype=\"multipart/form-data\""
  }

  /// A button for each alternative, which sends all typed values along.
  private var choicesInstead: HTML? {
    if instead.isEmpty { return nil }
    return """
      <fieldset class="instead"><legend>\(context.text("form.instead"))</legend>\
      \(actions: instead.map { choice in
        "<button class=\"button secondary\" name=\"instead\" value=\"\(choice.value)\">\(label(choice))</button>"
      })</fieldset>
      """
  }

  /// A hidden first button, because Enter presses the first one. Without it that would remove the
  /// first row.
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
    \(context.hiddenFields(once: once.isEmpty ? context.admission.idempotencyKey : once))\
    \(context.visitor.map { hiddenInput(Context.personName, $0.inCare?.name ?? $0.name) })\
    \(version.isEmpty ? nil : hiddenInput("version", version))
    """
  }

  func hiddenInput(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }
}
