import PolyclinicCore
import PolyclinicServer
import Synchronization
import Testing

/// A person with a browser and its cookies.
public final class TestVisitor {
  public internal(set) var login = ""
  /// The header fields of every request.
  public var headers: [String: String]
  let portal: TestPortal
  /// The beginning of a word that is added to each text typed into a form, if the portal accepts
  /// it; nil for none.
  var mark: String?
  /// The words that were added, and the names of their fields.
  private(set) var typed: [(field: String, word: String)] = []
  /// The guardian who sends this person's requests, wherever guardians may; nil for a person who
  /// acts alone.
  var guardian: TestGuardian?
  private var cookies: [String: String] = [:]
  /// The last response to each path to which a change was sent, if it is an error.
  private(set) var refused: [String: TestPage] = [:]

  init(_ portal: TestPortal, language: Language) {
    self.portal = portal
    headers = ["Accept-Language": language.code]
  }

  /// Requests a page.
  public func get(_ target: String) -> TestPage {
    // A browser keeps the fragment to itself (RFC 9110, 4.1).
    send("GET", String(target.prefix { $0 != "#" }))
  }

  /// Requests the page with the form and submits the form with these fields and its own hidden
  /// fields.
  public func submit(_ path: String, _ fields: [String: String]) throws -> TestPage {
    try submit(path, pairs: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// As ``submit(_:_:)``, for repeated fields; they are sent in this order.
  public func submit(_ path: String, pairs: [(String, String)]) throws -> TestPage {
    let page = get(path)
    guard page.status == 200 else { return page }
    let target = String(path.prefix { $0 != "?" })
    let given = Set(pairs.map(\.0))
    let hidden = page.hidden(of: target).filter { !given.contains($0.0) }
    return marking(pairs, on: page) { post(target, pairs: hidden + $0) }
  }

  /// Sends fields, with their ``mark`` if the portal accepts them so.
  private func marking(
    _ fields: [(String, String)], on page: TestPage, _ send: ([(String, String)]) -> TestPage
  ) -> TestPage {
    guard let mark else { return send(fields) }
    var words = typed
    let answer = send(
      fields.map { field, value in
        guard page.takesWords(value, in: field) else { return (field, value) }
        words.append((field, "\(mark)\(words.count)z"))
        return (field, "\(value) \(mark)\(words.count - 1)z")
      })
    guard answer.status < 400 else { return send(fields) }
    typed = words
    return answer
  }

  /// Submits the form at `path` with a file in the field `name`, these fields and its own hidden
  /// fields.
  public func upload(
    _ path: String, _ name: String, _ content: [UInt8], named file: String = "file.txt",
    _ fields: [String: String] = [:]
  ) -> TestPage {
    let page = get(path)
    let hidden = page.hidden(of: path).filter { fields[$0.0] == nil }
    return marking(fields.map { ($0.key, $0.value) }, on: page) {
      upload(path, (name, file, content), pairs: hidden + $0)
    }
  }

  private func upload(
    _ path: String, _ file: (field: String, name: String, content: [UInt8]),
    pairs: [(String, String)]
  ) -> TestPage {
    let boundary = "----boundary-of-the-test"
    var body: [UInt8] = []
    for (field, value) in pairs {
      let head = "Content-Disposition: form-data; name=\"\(field)\""
      body += Array("--\(boundary)\r\n\(head)\r\n\r\n\(value)\r\n".utf8)
    }
    let head = "Content-Disposition: form-data; name=\"\(file.field)\"; filename=\"\(file.name)\""
    body += Array("--\(boundary)\r\n\(head)\r\nContent-Type: text/plain\r\n\r\n".utf8)
    body += file.content + Array("\r\n--\(boundary)--\r\n".utf8)
    return send(
      "POST", path, body: body,
      headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"])
  }

  /// Submits a form of `page` that posts to `path`, with these fields and its own hidden fields.
  ///
  /// The test fails if the page has no such form. `evenIfAbsent` is for requests that no page
  /// offers; they use the page's anti-forgery token.
  public func press(
    _ path: String, on page: String, _ fields: [String: String] = [:], evenIfAbsent: Bool = false,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> TestPage {
    let shown = get(page)
    let own = shown.hidden(of: path)
    if own.isEmpty, !evenIfAbsent {
      Issue.record(
        "\(page) offers no button that posts to \(path)",
        sourceLocation: SourceLocation(
          fileID: fileID, filePath: filePath, line: line, column: column))
    }
    let hidden = (own.isEmpty ? shown.hidden(of: "/logout") : own).filter { fields[$0.0] == nil }
    return marking(fields.map { ($0.key, $0.value) }, on: shown) {
      post(path, pairs: hidden + $0)
    }
  }

  /// Sends the form of a page that posts to `path` as the page shows it, with these fields changed.
  /// After ``submit(_:_:)`` it confirms an unusual value.
  ///
  /// The test fails if the page has no such form.
  public func press(
    _ path: String, on page: TestPage, _ fields: [String: String] = [:],
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> TestPage {
    let shown = page.sentFields(to: path)
    if shown == nil {
      Issue.record(
        "the page offers no button that posts to \(path): \(page)",
        sourceLocation: SourceLocation(
          fileID: fileID, filePath: filePath, line: line, column: column))
    }
    let unchanged = (shown ?? []).filter { fields[$0.0] == nil }
    return post(path, pairs: unchanged + fields.map { ($0.key, $0.value) })
  }

  /// Posts exactly these fields.
  public func post(_ path: String, pairs: [(String, String)]) -> TestPage {
    send("POST", path, body: Array(Self.urlencoded(pairs).utf8))
  }

  /// Requests a resource that is not text, and returns its bytes.
  public func getBytes(_ target: String) -> [UInt8] {
    reply("GET", target, body: [], headers: headers).body
  }

  /// Posts exactly these fields, and returns the bytes of a response that is not text.
  public func postForBytes(_ path: String, pairs: [(String, String)]) -> [UInt8] {
    reply("POST", path, body: Array(Self.urlencoded(pairs).utf8), headers: headers).body
  }

  /// Sends any request with this browser's cookies.
  ///
  /// The test fails if the response shows the key of a missing text.
  public func send(
    _ method: String, _ target: String, body: [UInt8] = [], headers extra: [String: String] = [:]
  ) -> TestPage {
    let reply = reply(method, target, body: body, headers: headers.merging(extra) { $1 })
    let page = TestPage(
      status: reply.status, headers: reply.headers,
      body: String(decoding: reply.body, as: UTF8.self), isWhole: reply.isWhole,
      failures: reply.failures)
    if method != "GET" { refused[target] = page.status < 400 ? nil : page }
    if reply.body.contains(0xE2), !ModuleContract.isRunning {
      for key in page.missingWords.sorted() {
        Issue.record("\(method) \(target) shows ⟦\(key)⟧: its words or a value are missing")
      }
    }
    return page
  }

  func reply(
    _ method: String, _ target: String, body: [UInt8], headers: [String: String]
  ) -> InProcessServer.Reply {
    if let guardian, guardian.sends(method, target) {
      return guardian.reply(method, target, body: body, headers: headers)
    }
    let sent = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    let reply = portal.server.withLock {
      $0.send(method, target, body: body, cookies: sent, headers: headers)
    }
    for header in reply.headers where header.name == "Set-Cookie" { keep(header.value) }
    return reply
  }

  /// Signs in with the page's form.
  public func signIn(_ login: String, _ password: String = TestVisitor.password) throws -> TestPage
  {
    self.login = login
    return try submit("/login", ["login": login, "password": password])
  }

  /// Returns the value of one of this browser's cookies; nil if there is none.
  public func cookie(_ name: String) -> String? { cookies[name] }

  public func setCookie(_ name: String, _ value: String?) { cookies[name] = value }

  private func keep(_ header: String) {
    let parts = header.split(separator: ";")[0].split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isRemoved = header.contains("Max-Age=0")
    cookies[String(parts[0])] = isRemoved ? nil : String(parts[1])
  }

  /// The password of all test accounts, which is hard to guess.
  public static let password = "violet kettle drums softly"

  /// Returns a registration with all required fields filled in.
  public static func registration(login: String) -> [String: String] {
    [
      "login": login, "email": "\(login)@example.org", "name": "Anna", "surname": "Petrova",
      "street": "Long Street", "house_number": "12a/3", "city": "Minsk", "country": "BY",
      "password": password, "password_confirm": password, "consent": "yes", "role": "patient",
    ]
  }

  private static func urlencoded(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let digits = String(byte, radix: 16)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
