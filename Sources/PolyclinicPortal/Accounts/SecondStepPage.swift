import PolyclinicCore
import PolyclinicDocuments
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

struct SecondStepPage {
  let content: SecondStepContent
  let context: Context
  let server: ServerContext

  private var isEnrolling: Bool { content.enrolling != nil }

  var page: Page {
    get throws {
      Page(
        isEnrolling ? "two-factor.set-up" : "sign-in.code.title",
        """
        \(problem)\(try introduction)\(form(codeField, trust))\(recovery)\
        <p class="below"><a href="/login">\(text("sign-in.again-from-start"))</a></p>
        """,
        width: .entrance)
    }
  }

  private func text(_ text: Text) -> String { context.text(text) }

  private var problem: HTML? {
    content.problem.map {
      """
      <div class="summary" role="alert" tabindex="-1" autofocus><h2>\(text($0))</h2>\
      <ul><li><a href="#code">\(text("error.code.again"))</a></li></ul></div>
      """
    }
  }

  /// The text above the form: how to find the code, or how to set up the app.
  private var introduction: HTML {
    get throws {
      guard let password = content.enrolling else { return "<p>\(text("sign-in.code.about"))</p>" }
      return """
        <p>\(text("two-factor.required"))</p>\(try Enrolment(
          password: password, person: content.person, context: context, server: server).html)
        """
    }
  }

  private func form(_ field: HTML, _ more: HTML?) -> HTML {
    """
    <form class="form" method="post" action="/login/code">\(context.hiddenFields())\
    <input type="hidden" name="pending" value="\(content.pending)">\
    <input type="hidden" name="next" value="\(content.next)">\
    <input type="hidden" name="carried" value="\(content.interruptedForm)">\(field)\(more)\
    \(actions: context.submit("sign-in.submit"))</form>
    """
  }

  private var codeField: HTML {
    let isWrong = content.problem != nil
    return context.field(
      "field.code", id: "code",
      """
      <p class="hint" id="code-hint">\(text("field.code.hint"))</p>\
      <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="64" \
      required aria-describedby="code-hint"\(attribute: " aria-invalid=\"true\"", if: isWrong)\
      \(attribute: " autofocus", if: !isWrong)>
      """)
  }

  private var trust: HTML {
    context.checkBox(
      "sign-in.trust", name: "trust", value: "yes", isChecked: false, hint: "sign-in.trust.hint")
  }

  /// The form for a recovery code, for people who have lost the app.
  private var recovery: HTML? {
    if isEnrolling { return nil }
    let field = context.field(
      "field.recovery_code", id: "recovery",
      """
      <input id="recovery" name="code" autocomplete="off" autocapitalize="characters" \
      spellcheck="false" maxlength="64" required dir="ltr">
      """)
    return """
      <details class="more-text"><summary>\(text("sign-in.no-phone"))</summary>\
      <p>\(text("sign-in.no-phone.about"))</p>\(form(field, nil))</details>
      """
  }
}

/// The steps for adding the secret to an app: a QR code to scan, and the same secret to type.
struct Enrolment {
  let password: OneTimePassword
  let person: ID<Person>?
  let context: Context
  let server: ServerContext

  var html: HTML {
    get throws {
      """
      <ol class="steps"><li>\(context.text("two-factor.step.app"))</li>\
      <li>\(context.text("two-factor.step.scan"))\(try code)\
      <p>\(context.text("two-factor.step.type"))</p>\
      <p><code class="secret" dir="ltr">\(Base32.grouped(password.key))</code></p></li>\
      <li>\(context.text("two-factor.step.code"))</li></ol>
      """
    }
  }

  /// The QR code; nil if this server cannot draw one, because the secret can be typed instead.
  private var code: HTML? {
    get throws {
      guard DocumentDecoder.problem == nil else { return nil }
      let address = password.address(issuer: try issuer, login: try login)
      let drawn = try DocumentDecoder.draw(Array(address.utf8))
      return drawn.drawing.map {
        "<div class=\"qr\">\($0.grid.svg(label: context.text("two-factor.qr")))</div>"
      }
    }
  }

  /// The clinic's name; the host name if the clinic's name is not ASCII or has a colon, because not
  /// every app shows other characters.
  private var issuer: String {
    get throws {
      let site = server.site
      let name = site.clinic.name
      return name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ":") }
        ? name : site.origin.host
    }
  }

  private var login: String {
    get throws {
      let vault = server.vault
      let profile = try person.flatMap { try KeyStore(vault).unloggedKeys(of: $0, on: context) }
        .flatMap { try Profile.find(by: $0, on: context) }
      return profile?.login ?? ""
    }
  }
}
