/// An element of a page, with its attributes and what is inside it.
public struct TestElement: Sendable {
  /// The name of the tag, such as `dl`; empty for the document itself.
  public let name: String
  /// The attributes by name; an attribute without a value has an empty one.
  public internal(set) var attributes: [String: String]
  /// The elements and texts inside this element, in order.
  var children: [Node] = []

  /// One child of an element.
  enum Node: Sendable {
    case text(String)
    case element(TestElement)
  }

  /// The words inside the element, separated by single spaces.
  public var text: String {
    rendered.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The text directly inside the element, with its spaces and line ends.
  var rawText: String {
    children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// Returns true if the element has this class.
  public func hasClass(_ name: String) -> Bool {
    attributes["class"]?.split(separator: " ").contains { $0 == name } ?? false
  }

  /// Returns the elements inside this one that fulfil the condition, in the order of their tags.
  public func all(where isWanted: (TestElement) -> Bool) -> [TestElement] {
    children.flatMap { child -> [TestElement] in
      guard case .element(let element) = child else { return [] }
      return (isWanted(element) ? [element] : []) + element.all(where: isWanted)
    }
  }

  /// Returns the elements with this tag inside this one, in order.
  public func all(_ name: String) -> [TestElement] { all { $0.name == name } }

  /// Returns the first element inside this one that fulfils the condition; nil if there is none.
  public func first(where isWanted: (TestElement) -> Bool) -> TestElement? {
    for case .element(let element) in children {
      if isWanted(element) { return element }
      if let found = element.first(where: isWanted) { return found }
    }
    return nil
  }

  /// The text, with spaces around the elements that begin on a line or in a box of their own.
  private var rendered: String {
    children.map { child in
      switch child {
      case .text(let text): text
      case .element(let element) where Self.unread.contains(element.name): " "
      case .element(let element) where element.isWithinLine: element.rendered
      case .element(let element): " \(element.rendered) "
      }
    }.joined()
  }

  private var isWithinLine: Bool {
    Self.withinLine.contains(name) && attributes["class"] == nil
  }

  private static let unread: Set<String> = ["script", "style", "template"]
  private static let withinLine: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "code", "data", "em", "i", "kbd", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
  ]
}
