import PolyclinicCore
import PolyclinicServer

/// A guardian who sends the requests of a person in care, below the person's address.
///
/// The person's pages arrive with the addresses that they have for the person, so that a test does
/// the same with and without a guardian.
struct TestGuardian {
  private let visitor: TestVisitor
  private let prefix: String
  private let routes: [DeclaredRoute]

  /// Lets a visitor act for a person, with all rights, by the forms of both.
  init(_ visitor: TestVisitor, for person: TestVisitor) throws {
    self.visitor = visitor
    prefix = try visitor.act(for: person, .all)
    routes = visitor.portal.routes
  }

  /// Returns true if guardians use the route of this request; the person sends all others.
  func sends(_ method: String, _ target: String) -> Bool {
    guard let method = Request.Method(rawValue: method) else { return false }
    return routes.matching(target.prefix { $0 != "?" })
      .contains { $0.methods.contains(method) && $0.guardianScope(for: method) != nil }
  }

  /// Sends a request of the person.
  func reply(
    _ method: String, _ target: String, body: [UInt8], headers: [String: String]
  ) -> InProcessServer.Reply {
    let reply = visitor.reply(method, prefix + target, body: body, headers: headers)
    let isPage = reply.headers.contains { $0.value.hasPrefix("text/html") }
    func shortened(_ text: String) -> String { text.replacing("\(prefix)/", with: "/") }
    return InProcessServer.Reply(
      status: reply.status,
      headers: reply.headers.map { name, value in
        (name, name == "Location" ? shortened(value) : value)
      },
      body: isPage
        ? Array(shortened(String(decoding: reply.body, as: UTF8.self)).utf8) : reply.body,
      isWhole: reply.isWhole, failures: reply.failures)
  }
}

extension TestVisitor {
  /// Becomes the guardian of an adult, by the forms of both. Returns the part before the paths of
  /// the person's pages.
  package func act(for person: TestVisitor, _ scope: GuardianScope) throws -> String {
    let made = try person.submit("/account/people/access", ["scope": scope.rawValue])
    let link = try made.guardianLink()
    let answer = try submit(link, [:])
    guard answer.status == 303 else { throw UnexpectedAnswer(answer) }
    return PersonInCare.prefix(try portal.person(of: person))
  }
}

extension TestPage {
  /// Returns the path of the link that a guardian or a person in care is sent. Throws
  /// ``UnexpectedAnswer`` if the page shows none.
  package func guardianLink() throws -> String {
    guard let found = body.firstMatch(of: #//account/people/(?:accept|allow)/[\w-]+/#) else {
      throw UnexpectedAnswer(self)
    }
    return String(found.output)
  }
}
