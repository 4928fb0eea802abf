import PolyclinicCore

/// The page that says whether there is a second factor, and what can be done with it.
struct SecondFactorPage {
  let isSet: Bool
  let isRequired: Bool
  let codesLeft: Int
  let context: Context

  var page: Page {
    Page("two-factor.title", isSet ? set : unset, back: "/account")
  }

  private func text(_ text: Text) -> String { context.text(text) }

  private var unset: HTML {
    """
    <section class="empty">\(context.icon(.key))<h2>\(text("two-factor.off"))</h2>\
    <p>\(text("two-factor.about"))</p>\
    <p class="actions"><a class="button" href="/account/two-factor/set-up">\
    \(text("two-factor.set-up"))</a></p></section>
    """
  }

  private var set: HTML {
    let left = Text("two-factor.codes.left", count: codesLeft)
    return """
      <div class="notice success"><p>\(text("two-factor.on"))</p></div>\
      <h2>\(text("two-factor.codes"))</h2>\
      <p class="muted">\(text(left))</p>\
      <p class="actions"><a class="button secondary" href="/account/two-factor/codes">\
      \(text("two-factor.codes.new"))</a></p>\
      <h2>\(text("two-factor.remove"))</h2>\(removal)
      """
  }

  private var removal: HTML {
    if isRequired { return "<p class=\"muted\">\(text("error.second-factor-required"))</p>" }
    return """
      <p class="muted">\(text("two-factor.remove.about"))</p>\
      <p class="actions"><a class="button danger secondary" href="/account/two-factor/remove">\
      \(text("two-factor.remove.ask"))</a></p>
      """
  }
}

/// The recovery codes, on the only page that shows them.
struct RecoveryCodeSheet {
  /// A line for each.
  let codes: String
  let next: Path
  let context: Context

  static func text(_ codes: [RecoveryCode]) -> String {
    codes.map(\.text).joined(separator: "\n")
  }

  var page: Page {
    Page(
      "two-factor.codes",
      """
      <section class="panel" role="status"><p>\(context.text("two-factor.codes.keep"))</p>\
      <pre class="secret" id="codes" dir="ltr">\(codes)</pre>\
      <p class="actions"><button type="button" class="button secondary" data-copy="codes" \
      data-copied="\(context.text("tokens.copied"))" hidden>\(context.text("tokens.copy"))</button></p>\
      <p class="actions" data-print hidden><button class="button secondary">\
      \(context.text("two-factor.codes.print"))</button></p></section>\
      <p class="actions"><a class="button" href="\(next)">\(context.text("two-factor.codes.kept"))</a></p>
      """,
      scripts: ["copy.js", "print.js"])
  }
}
