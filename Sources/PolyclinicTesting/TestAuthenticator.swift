import PolyclinicCore
import PolyclinicVault

/// A person's authenticator app, which reads its secret from a page, and the pages that use it.
extension TestPage {
  /// The app with the secret that the page shows; nil if it shows none.
  package var app: OneTimePassword? {
    guard let shown = body.firstMatch(of: /<code class="secret" dir="ltr">([A-Z2-7 ]+)</) else {
      return nil
    }
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
    for letter in shown.1 where letter != " " {
      bits = (bits << 5 | (alphabet.firstIndex(of: letter) ?? 0)) & 0xFFF
      count += 5
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> count & 0xFF))
    }
    return bytes.count == 20 ? OneTimePassword(secret: bytes) : nil
  }

  /// The recovery codes that the page shows.
  package var recoveryCodes: [String] {
    body.firstMatch(of: /<pre[^>]*>([^<]+)</)
      .map { $0.1.split(separator: "\n").map(String.init) } ?? []
  }
}

extension OneTimePassword {
  /// Returns the code that the app shows at the portal's time.
  package func code(in portal: TestPortal) -> String { code(at: Self.step(at: portal.now)) }
}

extension TestVisitor {
  /// Sets up codes on the set-up page, and moves the clock past the code that it used. Throws
  /// ``UnexpectedAnswer`` if the portal refuses it.
  package func enrol(in portal: TestPortal) throws -> (app: OneTimePassword, codes: [String]) {
    let path = "/account/two-factor/set-up"
    let form = get(path)
    guard let app = form.app else { throw UnexpectedAnswer(form) }
    let typed = [("code", app.code(in: portal)), ("current_password", Self.password)]
    let sheet = post(path, pairs: form.hidden(of: path) + typed)
    guard sheet.status == 200 else { throw UnexpectedAnswer(sheet) }
    portal.now = portal.now + .seconds(60)
    return (app, sheet.recoveryCodes)
  }

  /// Answers the page that asks for a code at sign-in.
  package func answer(
    _ page: TestPage, _ code: String, _ more: [(String, String)] = []
  ) -> TestPage {
    post("/login/code", pairs: page.hidden(of: "/login/code") + [("code", code)] + more)
  }
}
