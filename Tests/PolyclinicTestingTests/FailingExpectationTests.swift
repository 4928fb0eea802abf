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

  @Test func `the error of a page and that of a card are printed with their reasons`() throws {
    let reason = #"Failure(reason: "no such column: sealde")"#
    let page = anna.get("/pages/fails")
    #expect(page.failures == [reason] && "\(page)".hasPrefix("500 (\(reason)): "))
    let card = Card("title") { _ in throw Failure(reason: "no such column: sealde") }
    let home = try TestPortal(PagesModule(cards: [card])).register().get("/")
    #expect("\(home)".hasPrefix("200 (\(reason)): "))
  }

  @Test func `a refused form is printed with the errors of its fields`() throws {
    let page = try anna.submit("/pages/weight", ["kilograms": "900"])
    withKnownIssue {
      #expect(page.leads(to: "/pages"))
    } matching: {
      "\($0)".contains("422 (kilograms: Enter a number from 1 to 500")
    }
    #expect(try anna.submit("/pages/weight", ["kilograms": "90"]).leads(to: "/pages"))
  }

  @Test func `a missing text fails the test that shows it`() {
    withKnownIssue {
      _ = anna.get("/pages/wordless")
    } matching: {
      "\($0)".contains("GET /pages/wordless shows ⟦page.hello⟧")
    }
  }

  @Test func `an unusual value is confirmed by pressing the button of the page that asks`() throws {
    let asked = try anna.submit("/pages/weight", ["kilograms": "400"])
    #expect(asked.hasNotice(.warning, "Is that right?") && asked.hasValue("400", of: "kilograms"))
    #expect(anna.press("/pages/weight", on: asked).leads(to: "/pages"))
    #expect(anna.press("/pages/weight", on: asked, ["kilograms": "0"]).refuses("kilograms"))
    withKnownIssue {
      _ = anna.press("/pages/delete", on: asked)
    } matching: {
      "\($0)".contains("offers no button that posts to /pages/delete")
    }
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
