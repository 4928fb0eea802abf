import PolyclinicTesting

/// Somebody new, who registers through the form.
struct Browser {
  private let server: InProcessServer

  init(_ server: InProcessServer) { self.server = server }

  /// The cookie of the session that registering begins.
  func register(_ login: String) throws -> String {
    let page = server.send("GET", "/register")
    let text = String(decoding: page.body, as: UTF8.self)
    let fields = [
      "csrf": try hidden("csrf", in: text), "once": try hidden("once", in: text), "login": login,
      "email": "\(login)%40example.org", "name": "Anna", "surname": "Petrova",
      "street": "Long+Street", "house_number": "12", "city": "Minsk", "country": "BY",
      "password": "violet+kettle+drums+softly", "password_confirm": "violet+kettle+drums+softly",
      "consent": "yes", "role": "patient",
    ]
    let body = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    let answer = server.send(
      "POST", "/register", body: Array(body.utf8), cookies: try cookie("__Host-visitor", of: page))
    guard answer.status == 303 else { throw Unusable("registering: \(answer.status)") }
    return try cookie("__Host-session", of: answer)
  }

  /// Chooses the country whose figures somebody looks at.
  func choose(_ country: String, by cookie: String) throws {
    let page = server.send("GET", "/contacts", cookies: cookie)
    let token = try hidden("csrf", in: String(decoding: page.body, as: UTF8.self))
    let answer = server.send(
      "POST", "/covid-stats/country", body: Array("csrf=\(token)&country=\(country)".utf8),
      cookies: cookie)
    guard answer.status == 303 else { throw Unusable("choosing a country: \(answer.status)") }
  }

  private func hidden(_ name: String, in page: String) throws -> String {
    let mark = "name=\"\(name)\" value=\""
    guard let start = page.firstRange(of: mark)?.upperBound else {
      throw Unusable("no \(name) in the form")
    }
    return String(page[start...].prefix { $0 != "\"" })
  }

  private func cookie(_ name: String, of reply: InProcessServer.Reply) throws -> String {
    let header = reply.headers.first { $0.name == "Set-Cookie" && $0.value.hasPrefix(name) }
    guard let header else { throw Unusable("no cookie \(name)") }
    return String(header.value.prefix { $0 != ";" })
  }
}
