import PolyclinicCore
import PolyclinicVault

/// The page with the state of the second factor and the actions for it.
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
    context.emptyState(
      .key, "two-factor.off", hint: "two-factor.about",
      actions: context.button("two-factor.set-up", to: "/account/two-factor/set-up"))
  }

  private var set: HTML {
    let left = Text("two-factor.codes.left", count: codesLeft)
    return """
      \(context.notice(.remark, "two-factor.on", as: .success))\
      <h2>\(text("two-factor.codes"))</h2>\
      <p class="muted">\(text(left))</p>\
      \(actions:
        context.button("two-factor.codes.new", to: "/account/two-factor/codes", style: .secondary))\
      <h2>\(text("two-factor.remove"))</h2>\(removal)
      """
  }

  private var removal: HTML {
    if isRequired { return "<p class=\"muted\">\(text("error.second-factor-required"))</p>" }
    return """
      <p class="muted">\(text("two-factor.remove.about"))</p>\
      \(actions:
        context.button(
          "two-factor.remove.ask", to: "/account/two-factor/remove", style: [.danger, .secondary]))
      """
  }
}

/// The page with new recovery codes. No other page can show them.
struct RecoveryCodeSheet {
  /// The codes, one a line.
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
      \(actions: context.copyButton("tokens.copy", of: "codes", copied: "tokens.copied"))\
      \(context.printAction("two-factor.codes.print", style: .secondary))</section>\
      \(actions: context.button("two-factor.codes.kept", to: next))
      """,
      assets: [.copy, .print])
  }
}
