/// The elements that most pages have. A question with the answer yes or no is a method of the page,
/// so that a failing expectation prints the page.
extension TestPage {
  /// The whole page.
  var document: TestElement { TestMarkup.document(body) }

  /// The element `<main>`; the whole document if there is none.
  public var main: TestElement {
    let document = document
    return document.first { $0.name == "main" } ?? document
  }

  /// The words of `<main>`.
  public var text: String { main.text }

  /// The words of the page's `<h1>`; empty if there is none.
  public var heading: String { main.first { $0.name == "h1" }?.text ?? "" }

  /// The words of the headings of the page's sections, in order.
  public var sections: [String] { main.all("h2").map(\.text) }

  /// Returns true if the page has a section with this heading.
  public func hasSection(_ heading: String) -> Bool { sections.contains(heading) }

  /// The words of the marks such as “Closed”, in order.
  public var badges: [String] { main.all { $0.hasClass("badge") }.map(\.text) }

  /// Returns true if the page has a mark with these words.
  public func hasBadge(_ words: String) -> Bool { badges.contains(words) }

  // MARK: Lists

  /// The words of each row of the page's lists and tables, in order, without the tables' headings.
  public var rows: [String] {
    main.all { $0.hasClass("rows") || $0.name == "tbody" }.flatMap { list in
      list.all { $0.name == "li" || $0.name == "tr" }.map(\.text)
    }
  }

  /// Returns true if a row of a list or a table has these words.
  public func hasRow(_ words: String) -> Bool { rows.contains { $0.contains(words) } }

  /// Returns true if the page says in place of a list, with these words if they are given, that
  /// there is nothing to show.
  public func isEmptyList(_ words: String = "") -> Bool {
    main.all { $0.hasClass("empty") }.contains { words.isEmpty || $0.text.contains(words) }
  }

  /// Returns the value beside this name in a list of facts; nil if there is none.
  public func fact(_ name: String) -> String? {
    let group = main.all("dl").flatMap { $0.all("div") }.first { group in
      group.first { $0.name == "dt" }?.text == name
    }
    return group?.all("dd").map(\.text).joined(separator: " ")
  }

  /// Returns true if a value in a list of facts has these words.
  public func hasFact(_ words: String) -> Bool {
    main.all("dd").contains { $0.text.contains(words) }
  }

  // MARK: Notices

  /// The purpose of a notice, which its colour and its icon show.
  public enum NoticeKind: String, Sendable { case plain, success, warning, danger }

  /// Returns the words of the page's notices of this kind, in order.
  public func notices(_ kind: NoticeKind) -> [String] {
    noticeElements.filter { Self.kind(of: $0) == kind }.map(\.text)
  }

  /// Returns true if the page has a notice of this kind, with these words if they are given.
  public func hasNotice(_ kind: NoticeKind, _ words: String = "") -> Bool {
    notices(kind).contains { words.isEmpty || $0.contains(words) }
  }

  /// The page's visible notices.
  var noticeElements: [TestElement] {
    main.all { $0.hasClass("notice") && $0.attributes["hidden"] == nil }
  }

  private static func kind(of notice: TestElement) -> NoticeKind {
    [.success, .warning, .danger].first { notice.hasClass($0.rawValue) } ?? .plain
  }

  // MARK: Links and buttons

  /// Returns true if the response is a redirect to this path, as after a form that was saved.
  public func leads(to path: String) -> Bool { location == path }

  /// Returns true if a link leads to this address.
  public func hasLink(to address: String) -> Bool { link(to: address) != nil }

  /// Returns the words of the first link to this address; nil if there is none.
  public func link(to address: String) -> String? {
    document.first { $0.name == "a" && $0.attributes["href"] == address }?.text
  }

  /// The address of the link "Back" above the heading; nil without one.
  public var backLink: String? { document.first { $0.hasClass("back") }?.attributes["href"] }

  /// Returns true if the address of a link has these characters, such as `date=2026-05-05`.
  public func hasLink(with part: String) -> Bool {
    document.first { $0.name == "a" && ($0.attributes["href"]?.contains(part) ?? false) } != nil
  }

  /// Returns true if the page has a link with exactly these words.
  public func hasLink(_ words: String) -> Bool {
    document.first { $0.name == "a" && $0.text == words } != nil
  }

  /// Returns true if the page has a button, or a link that looks like one, with exactly these
  /// words.
  public func hasButton(_ words: String) -> Bool {
    document.first { $0.isButton && $0.text == words } != nil
  }
}

extension TestElement {
  fileprivate var isButton: Bool { name == "button" || name == "a" && hasClass("button") }
}
