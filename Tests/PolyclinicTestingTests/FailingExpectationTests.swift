import PolyclinicCore
import PolyclinicTesting
import Testing

/// The text of a failing expectation names the page's status and words instead of its HTML.
@Suite struct FailingExpectationTests {
  private let portal: TestPortal
  private let anna: TestVisitor

  init() throws {
    portal = try TestPortal(PagesModule(content: "<p>Two <b>doctors</b>, one nurse</p>"))
    anna = try portal.register()
  }

  @Test func `a failing expectation prints the words of the page`() {
    let page = anna.get("/pages")
    withKnownIssue {
      #expect(page.contains("a surgeon"))
    } matching: { issue in
      let text = "\(issue)"
      return text.contains("200: Pages Two doctors, one nurse") && !text.contains("<main")
    }
    withKnownIssue {
      #expect(page.hasRow("a surgeon"))
    } matching: {
      "\($0)".contains("200: Pages Two doctors, one nurse")
    }
  }

  @Test func `a redirect is printed with its location`() {
    let page = portal.visitor().get("/pages")
    #expect("\(page)".hasPrefix("303, leads to /login?next=%2Fpages"))
    #expect(String(describingForTest: page) == "\(page)")
  }

  @Test func `pressing a missing button fails, unless the test asks otherwise`() {
    withKnownIssue {
      _ = anna.press("/pages/delete", on: "/pages")
    } matching: {
      "\($0)".contains("/pages offers no button that posts to /pages/delete")
    }
    #expect(anna.press("/pages/delete", on: "/pages", evenIfAbsent: true).status == 404)
  }
}
