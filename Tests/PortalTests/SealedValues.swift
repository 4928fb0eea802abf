import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

/// A filled portal with each sealed, signed or secret text that its pages, cookies and e-mails give
/// out.
final class SealedValues {
  /// The kind of a text, which says where it opens.
  enum Kind: String, CaseIterable {
    case signIn, signInWithSetUp, setUp, interruptedForm
    case sessionForgery, visitorForgery, once, version
    case clinicLink, lostPhoneLink, mailedLink, invitation, confirmation
    case recoveryCode, accessToken, accessTokenSecret, calendar, upload
    case session, visitor, trustedBrowser, offlineBrowser
    case search
    case passkeySignIn, newPasskey
  }

  let filled: FilledPortal
  /// A person whose account asks for a code. The patient's does not.
  let anna: TestVisitor
  /// Returns the present code of Anna's app.
  private let code: () -> String
  private(set) var texts: [Kind: String] = [:]
  /// The path and query of the reception's search, without the sealed text, and its name.
  private(set) var search = (page: "", name: "")

  var portal: TestPortal { filled.portal }
  var patient: TestVisitor { filled.patient }

  private let mail: String

  init() throws {
    mail = NSTemporaryDirectory() + "sealed-values-\(UUID().uuidString)"
    filled = try FilledPortal(mail: "/usr/bin/tee -a \(mail)", secondFactor: "staff")
    let portal = filled.portal
    anna = try portal.register(login: "anna")
    let (app, codes) = try anna.enrol(in: portal)
    code = { app.code(in: portal) }
    texts[.recoveryCode] = codes[0]
    try takeFromSignIn()
    try takeFromForms()
    try takeLinks()
    try takeSearch()
    texts[.accessToken] = try patient.makeToken(["contacts": "write"])
    texts[.accessTokenSecret] = texts[.accessToken].map {
      String($0.dropFirst("polyclinic_".count))
    }
    let feed = patient.press(
      "/appointments/calendar/new", on: "/appointments/calendar",
      ["whose": "patient", "detail": "full"], evenIfAbsent: true)
    texts[.calendar] = Self.token(after: "/appointments/calendar/", in: feed.body)
    // The patient has uploaded one file.
    texts[.upload] = "1"
    for kind in Kind.allCases where texts[kind] == nil { Issue.record("no text of \(kind)") }
  }

  deinit { unlink(mail) }

  private func takeFromSignIn() throws {
    let trusting = portal.visitor()
    let asked = try trusting.signIn("anna")
    #expect(trusting.answer(asked, code(), [("trust", "yes")]).status == 303)
    portal.now = portal.now + .seconds(60)
    texts[.trustedBrowser] = trusting.cookie("__Host-browser")
    let browser = portal.visitor()
    texts[.signIn] = try browser.signIn("anna").value(of: "pending")
    texts[.signInWithSetUp] = try browser.signIn(filled.receptionist.login).value(of: "pending")
    texts[.visitor] = browser.cookie("__Host-visitor")
    texts[.passkeySignIn] = try browser.get("/login/passkey/options").json()["challenge"]?.text
    texts[.visitorForgery] = browser.get("/login").value(of: "csrf")
  }

  private func takeFromForms() throws {
    let edit = patient.get("/account/edit")
    texts[.sessionForgery] = edit.value(of: "csrf")
    texts[.once] = edit.value(of: "once")
    texts[.version] = edit.value(of: "version")
    texts[.setUp] = patient.get("/account/two-factor/set-up").value(of: "pending")
    // The session is less than five minutes old.
    let options = try patient.get("/account/passkeys/new").passkeyOptions()
    texts[.newPasskey] = options["challenge"]?.text
    texts[.session] = patient.cookie("__Host-session")
    texts[.offlineBrowser] = patient.cookie("__Host-offline")
    let late = portal.visitor()
    let fields = edit.hidden(of: "/account/edit") + [("street", "Quiet Lane")]
    late.setCookie("__Host-session", "ended")
    texts[.interruptedForm] = late.post("/account/edit", pairs: fields).value(of: "carried")
  }

  private func takeLinks() throws {
    let clara = try portal.register(login: "clara")
    _ = clara.press("/notifications/confirm", on: "/notifications/preferences")
    let link = "/notifications/confirm/\(try mailed("/notifications/confirm/"))"
    _ = clara.press(link, on: link)
    #expect(try portal.visitor().submit("/login/forgotten", ["login": "clara"]).status == 303)
    texts[.mailedLink] = try mailed("/reset/")
    _ = patient.press("/notifications/confirm", on: "/notifications/preferences")
    texts[.confirmation] = try mailed("/notifications/confirm/")
    let newcomer = try portal.enter("Eva").person
    let administrator = try portal.administrator()
    func made(_ person: ID<Person>, _ action: String, _ path: String) -> String? {
      let page = "/admin/people/\(person)"
      let shown = administrator.press("\(page)/\(action)", on: page)
      return Self.token(after: path, in: shown.body)
    }
    texts[.clinicLink] = try made(portal.person(of: patient), "link", "/reset/")
    texts[.lostPhoneLink] = try made(portal.person(of: anna), "second-factor-link", "/reset/")
    texts[.invitation] = made(newcomer, "invite", "/invitation/")
  }

  private func takeSearch() throws {
    let found = filled.receptionist.press(
      "/appointments/desk/search", on: "/appointments/desk/book?search=1", ["q": "Petrova"])
    let query = found.location.split(separator: "?").last ?? ""
    let pairs = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    // The sealed text is the longest one.
    let sealed = try #require(pairs.max { ($0.last?.count ?? 0) < ($1.last?.count ?? 0) })
    let rest = pairs.filter { $0 != sealed }.map { $0.joined(separator: "=") }
    texts[.search] = String(sealed[1])
    search = ("/appointments/desk/book?" + rest.joined(separator: "&"), String(sealed[0]))
  }

  /// Sends the e-mails and returns the token of the last link with this path.
  private func mailed(_ path: String) throws -> String {
    try portal.sendMessages()
    let parts = try String(contentsOfFile: mail, encoding: .utf8)
      .components(separatedBy: "\r\n\r\n")
    let texts = parts.compactMap { part -> String? in
      let lines = part.components(separatedBy: "\r\n").prefix { !$0.hasPrefix("--") }
      return Data(base64Encoded: lines.joined()).map { String(decoding: $0, as: UTF8.self) }
    }
    return try #require(texts.compactMap { Self.token(after: path, in: $0) }.last)
  }

  /// Returns the token that follows these words.
  private static func token(after words: String, in text: String) -> String? {
    text.components(separatedBy: words).dropFirst()
      .map { String($0.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) }
      .first { !$0.isEmpty && $0 != "new" }
  }
}
