import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting

/// The places that open a sealed, signed or secret text.
extension SealedValues {
  struct Place {
    let name: String
    let kinds: Set<Kind>
    /// True if the place opens the text.
    let opens: (String) throws -> Bool

    init(_ name: String, _ kinds: Set<Kind>, _ opens: @escaping (String) throws -> Bool) {
      self.name = name
      self.kinds = kinds
      self.opens = opens
    }
  }

  var places: [Place] { signIn + forms + links + programs + cookies + [words, codes] }

  /// Returns the hidden fields of a page's form, with one of them replaced.
  private func hidden(
    _ form: String, on page: TestPage, _ name: String, _ text: String
  ) -> [(String, String)] {
    page.hidden(of: form).filter { $0.0 != name } + [(name, text)]
  }

  private var signIn: [Place] {
    [
      Place("the code at sign-in", [.signIn, .signInWithSetUp]) { [self] text in
        let browser = portal.visitor()
        browser.setCookie("__Host-visitor", texts[.visitor])
        let fields = hidden("/login", on: browser.get("/login"), "pending", text)
        return browser.post("/login/code", pairs: fields + [("code", "000000")])
          .hasField("pending")
      },
      Place("the set-up of codes", [.setUp]) { [self] text in
        let path = "/account/two-factor/set-up"
        let fields = hidden(path, on: patient.get(path), "pending", text)
        let proof = [("code", "000000"), ("current_password", TestVisitor.password)]
        return !patient.post(path, pairs: fields + proof).hasError("took too long")
      },
      Place("the sign-in with a passkey", [.passkeySignIn]) { [self] text in
        let browser = portal.visitor()
        browser.setCookie("__Host-visitor", texts[.visitor])
        let response = TestPasskey().signedIn(text)
        let answer = browser.send(passkeyResponse: response, on: browser.get("/login"))
        return answer.contains("does not have this passkey")
      },
      Place("a new passkey", [.newPasskey]) { [self] text in
        let path = "/account/passkeys/create"
        let page = patient.get("/account/passkeys/new")
        let response = TestPasskey().created(["challenge": .string(text)])
        return patient.post(path, pairs: hidden(path, on: page, "credential", response)).status
          == 303
      },
    ]
  }

  private var forms: [Place] {
    [
      Place("the kept form at sign-in", [.interruptedForm]) { [self] text in
        let browser = portal.visitor()
        let fields = hidden("/login", on: browser.get("/login"), "carried", text)
        let proof = [("login", "patient"), ("password", TestVisitor.password)]
        return browser.post("/login", pairs: fields + proof).location == "/account/edit"
      },
      Place("the kept form in another tab", [.interruptedForm]) { [self] text in
        let fields = [("csrf", "of another session"), ("once", "1"), ("carried", text)]
        return patient.post("/login", pairs: fields).location == "/account/edit"
      },
      Place("a form of the session", [.sessionForgery]) { [self] text in
        let fields = [("csrf", text), ("language", "en"), ("next", "/")]
        return patient.post("/language", pairs: fields).status == 303
      },
      Place("a form without a session", [.visitorForgery]) { [self] text in
        let browser = portal.visitor()
        browser.setCookie("__Host-visitor", texts[.visitor])
        let fields = [("csrf", text), ("language", "en"), ("next", "/")]
        return browser.post("/language", pairs: fields).status == 303
      },
      Place("an uploaded file", [.upload]) { [self] in
        patient.get("/contacts/import/\($0)").status == 200
      },
    ]
  }

  private var links: [Place] {
    [
      ("/reset/", [.clinicLink, .lostPhoneLink, .mailedLink]), ("/invitation/", [.invitation]),
      ("/setup/", []), ("/notifications/confirm/", [.confirmation]),
    ].map { path, kinds in
      Place(path, kinds) { [self] in portal.visitor().get(path + $0).status == 200 }
    } + [
      Place("a calendar", [.calendar]) { [self] in
        portal.visitor().get("/appointments/calendar/\($0).ics").status == 200
      }
    ]
  }

  private var programs: [Place] {
    [
      Place("the token of a program", [.accessToken]) { [self] in
        TestProgram(portal, token: $0).get("/api/v1/contacts").status == 200
      },
      Place("a script's change", [.sessionForgery]) { [self] text in
        patient.send(
          "POST", "/api/v1/contacts", body: Array("{\"name\": \"Eva\"}".utf8),
          headers: ["X-CSRF-Token": text, "Content-Type": "application/json"]
        ).status == 201
      },
    ]
  }

  private var cookies: [Place] {
    [
      Place("the cookie of the session", [.session]) { [self] text in
        let browser = portal.visitor()
        browser.setCookie("__Host-session", text)
        return browser.get("/account").status == 200
      },
      Place("the cookie of a trusted browser", [.trustedBrowser]) { [self] text in
        let browser = portal.visitor()
        browser.setCookie("__Host-browser", text)
        return try browser.signIn("anna").status == 303
      },
      Place("the cookie of an offline copy", [.offlineBrowser]) { [self] text in
        let browser = portal.visitor()
        browser.setCookie("__Host-session", texts[.session])
        browser.setCookie("__Host-offline", text)
        return browser.get("/account/offline/copy").status == 200
      },
    ]
  }

  /// The words of the reception's search. The page is the same only if they open.
  private var words: Place {
    Place("the words of a search", [.search]) { [self] text in
      func shown(_ text: String) -> String {
        let page = filled.receptionist.get("\(search.page)&\(search.name)=\(text)")
        return "\(page.text) \(page.value(of: "q") ?? "")"
      }
      return shown(text.replacing(" ", with: "+")) == shown(texts[.search] ?? "")
    }
  }

  /// The code at sign-in. It comes last, because it moves the clock: the account's count allows one
  /// code a minute from new addresses.
  private var codes: Place {
    Place("the code itself", [.recoveryCode]) { [self] text in
      portal.now = portal.now + .minutes(2)
      let browser = portal.visitor()
      browser.headers["X-Address"] = "198.51.100.\(text.utf8.count)"
      return browser.answer(try browser.signIn("anna"), text).status == 303
    }
  }
}
