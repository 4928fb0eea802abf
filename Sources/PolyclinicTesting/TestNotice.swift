/// A notification in the inbox of a person.
public struct TestNotice: Sendable, Equatable {
  /// The sentence in the language of its reader.
  public let text: String
  /// True until its reader has followed it or marked it as read, or it is out of date.
  public let isUnread: Bool

  /// Creates a notification to compare with.
  public init(text: String, isUnread: Bool) {
    self.text = text
    self.isUnread = isUnread
  }
}

extension TestPortal {
  /// Returns the newest notifications of a signed-in visitor, as the first page of the inbox shows
  /// them. Reading them does not mark them as read.
  public func notices(of visitor: TestVisitor) -> [TestNotice] {
    let lists = visitor.get("/notifications").main.all { $0.hasClass("inbox") }
    return lists.flatMap { $0.all("li") }.compactMap { row in
      let unread = row.first { $0.name == "button" && $0.hasClass("follow") }
      guard let title = unread ?? row.first(where: { $0.name == "a" }) else { return nil }
      return TestNotice(text: title.text, isUnread: unread != nil)
    }
  }

  /// Returns true if the inbox of the visitor has a notification with these words.
  public func notified(_ visitor: TestVisitor, _ words: String) -> Bool {
    notices(of: visitor).contains { $0.text.contains(words) }
  }
}
