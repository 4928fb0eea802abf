extension HTML {
  /// The look of a button. A button without a style is the main one of its row.
  public struct ButtonStyle: OptionSet, Sendable {
    /// The bits of the style.
    public let rawValue: UInt8

    /// A button with a frame, beside the main one.
    public static let secondary = ButtonStyle(rawValue: 1)
    /// A button without a frame, for a rarely needed action.
    public static let plain = ButtonStyle(rawValue: 2)
    /// A button in red, which deletes or ends something.
    public static let danger = ButtonStyle(rawValue: 4)
    /// A button of less height, for rows of a list and for notices.
    public static let small = ButtonStyle(rawValue: 8)

    /// Creates a style from its bits; for `OptionSet`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }
}

extension Context {
  /// True if the visitor has the rights for a page; always on the visitor's own pages.
  public func offers(_ path: Path) -> Bool {
    visitor?.inCare.map { admission.offers(path.resolved(in: module), to: $0) } ?? true
  }

  /// Returns a link to a page that looks like a button; nothing for a guardian without the right.
  ///
  /// - `name` is the record that the button belongs to, which only screen readers read: in a list,
  ///   all buttons have the same label.
  /// - `rel` is the relation of the page to this one, such as `next` (HTML, 4.6.7).
  /// - `file` is the name under which the browser saves what is at the path.
  ///
  /// ```swift
  /// context.button("show.delete", to: "/contacts/\(id)/delete", style: [.danger, .secondary])
  /// ```
  public func button(
    _ label: Text, to path: Path, style: HTML.ButtonStyle = [], icon: Icon? = nil,
    of name: String? = nil, rel: StaticString? = nil, savedAs file: String? = nil
  ) -> HTML {
    if !offers(path) { return HTML() }
    let relation: HTML? = rel.map { " rel=\"\($0)\"" }
    let download: HTML? = file.map { " download=\"\($0)\"" }
    return """
      <a class="\(classesOf: style)"\(relation) href="\(path)"\(download)>\(icon.map(self.icon))\
      \(text(label), of: name)</a>
      """
  }

  /// Returns a link to a page that looks like a button and shows `content`, such as a time; nothing
  /// for a guardian without the right. `rel` is the relation of the page to this one.
  public func button(
    showing content: HTML, to path: Path, style: HTML.ButtonStyle = [], rel: StaticString? = nil
  ) -> HTML {
    if !offers(path) { return HTML() }
    let relation: HTML? = rel.map { " rel=\"\($0)\"" }
    return "<a class=\"\(classesOf: style)\"\(relation) href=\"\(path)\">\(content)</a>"
  }

  /// Returns links that look like buttons and lead to one page with different further fields, such
  /// as the times of a day.
  ///
  /// - `path` has a query. It is written once, because a page may have hundreds of these links.
  /// - `fields` returns the further fields of an item, percent-encoded, each behind an `&amp;`.
  public func buttons<Item>(
    for items: [Item], to path: Path, style: HTML.ButtonStyle = [],
    adding fields: (Item) -> HTML, showing content: (Item) -> HTML
  ) -> [HTML] {
    let start: HTML = "<a class=\"\(classesOf: style)\" href=\"\(path)"
    return items.map { "\(start)\(fields($0))\">\(content($0))</a>" }
  }

  /// Returns the link at the end of a card that leads to more of the same.
  public func moreLink(_ label: Text, to path: Path) -> HTML {
    "<a class=\"more\" href=\"\(path)\">\(text(label))</a>"
  }

  /// Returns a link out of this portal that looks like a button, such as “Call”.
  public func button(
    _ label: Text, to link: OutsideLink, style: HTML.ButtonStyle = [], icon: Icon? = nil
  ) -> HTML {
    """
    <a class="\(classesOf: style)" href="\(link)">\(icon.map(self.icon))\(text(label))</a>
    """
  }

  /// Returns a link out of this portal that looks like a button and shows `content`, such as a
  /// telephone number.
  public func button(
    showing content: HTML, to link: OutsideLink, style: HTML.ButtonStyle = []
  ) -> HTML {
    "<a class=\"\(classesOf: style)\" href=\"\(link)\">\(content)</a>"
  }

  /// Returns a link that looks like a button and calls a telephone number; nil if no telephone can
  /// dial it.
  public func callButton(
    _ label: Text, _ number: String, style: HTML.ButtonStyle = .secondary
  ) -> HTML? {
    OutsideLink.telephone(number).map { button(label, to: $0, style: style, icon: .phone) }
  }

  /// Returns a form with a single button and only hidden fields; nothing for a guardian without the
  /// right.
  ///
  /// `name` is the record that the button belongs to, which only screen readers read: in a list,
  /// all buttons have the same label.
  public func button(
    _ label: Text, posts path: Path, with fields: KeyValuePairs<StaticString, String> = [:],
    style: HTML.ButtonStyle = [], of name: String? = nil
  ) -> HTML {
    if !offers(path) { return HTML() }
    return """
      <form method="post" action="\(path)" class="inline">\(hiddenFields())\
      \(each: fields, { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">" })\
      <button class="\(classesOf: style)">\(text(label), of: name)</button></form>
      """
  }

  /// Returns a button that submits the form around it, with a field of its own if it has a name.
  ///
  /// - `path` receives the form in place of the form's own path.
  /// - `record` is the record that the button belongs to, which only screen readers read.
  public func submit(
    _ label: Text, name: StaticString? = nil, value: String = "yes", style: HTML.ButtonStyle = [],
    to path: Path? = nil, of record: String? = nil
  ) -> HTML {
    let action: HTML? = path.map { " formaction=\"\($0)\"" }
    let field: HTML? = name.map { " name=\"\($0)\" value=\"\(value)\"" }
    return """
      <button class="\(classesOf: style)"\(action)\(field)>\(text(label), of: record)</button>
      """
  }

  /// Returns a button that leaves the form around it: it sends the field `cancel` and skips the
  /// browser's own checks.
  public func cancelButton(_ label: Text = "form.cancel") -> HTML {
    """
    <button class="button secondary" name="cancel" value="yes" formnovalidate>\(text(label))</button>
    """
  }

  /// Returns a button that copies the text of the element `source`, and then says so. A page with
  /// it has the script `copy.js`, without which the button is hidden.
  public func copyButton(_ label: Text, of source: StaticString, copied: Text) -> HTML {
    scriptButton(
      label, style: .secondary,
      attributes: " data-copy=\"\(source)\" data-copied=\"\(text(copied))\" hidden")
  }

  /// Returns a button for a script of the page, which finds it by its `attributes` and shows it if
  /// they include `hidden`.
  public func scriptButton(
    _ label: Text, style: HTML.ButtonStyle = [], icon: Icon? = nil, attributes: HTML = ""
  ) -> HTML {
    """
    <button type="button" class="\(classesOf: style)"\(attributes)>\(icon.map(self.icon))\
    \(text(label))</button>
    """
  }

  /// Returns a row with the button that prints the page. A page with it has the script `print.js`,
  /// without which the row is hidden.
  public func printAction(_ label: Text, style: HTML.ButtonStyle = []) -> HTML {
    """
    <div class="actions" data-print hidden><button class="\(classesOf: style)">\(text(label))</button>\
    </div>
    """
  }
}

extension HTML.StringInterpolation {
  /// Appends a row of buttons, without those that are nil; nothing if all are.
  ///
  /// ```swift
  /// "\(actions: context.button("show.edit", to: edit), deletion)"
  /// ```
  public mutating func appendInterpolation(actions: HTML?...) {
    appendInterpolation(actions: actions)
  }

  /// Appends a row of buttons, without those that are nil; nothing if all are.
  public mutating func appendInterpolation(actions: [HTML?]) {
    var isEmpty = true
    for case let action? in actions where !action.isEmpty {
      if isEmpty { appendLiteral("<div class=\"actions\">") }
      isEmpty = false
      appendInterpolation(action)
    }
    if !isEmpty { appendLiteral("</div>") }
  }

  /// Appends the button that calls a telephone number, with an icon and a word that is read before
  /// the name, for long lists; nothing without a number.
  ///
  /// `number` is the part of ``OutsideLink/telephone(_:)`` behind its scheme, in UTF-8.
  public mutating func appendInterpolation(
    calling number: ArraySlice<UInt8>, of name: SearchText, _ icon: HTML, _ word: String
  ) {
    if number.isEmpty { return }
    appendLiteral("<div class=\"actions\"><a class=\"button plain\" href=\"tel:")
    appendInterpolation(utf8: number)
    appendLiteral("\">")
    appendInterpolation(icon)
    appendLiteral("<span class=\"hidden-text\">")
    appendInterpolation(word)
    appendLiteral(": <bdi>")
    appendInterpolation(name)
    appendLiteral("</bdi></span></a></div>")
  }

  /// Appends the classes of a button.
  fileprivate mutating func appendInterpolation(classesOf style: HTML.ButtonStyle) {
    appendLiteral("button")
    appendInterpolation(attribute: " plain", if: style.contains(.plain))
    appendInterpolation(attribute: " danger", if: style.contains(.danger))
    appendInterpolation(attribute: " secondary", if: style.contains(.secondary))
    appendInterpolation(attribute: " small", if: style.contains(.small))
  }

  /// Appends a button's label, and the name of its record for screen readers.
  fileprivate mutating func appendInterpolation(_ label: String, of record: String?) {
    appendInterpolation(label)
    guard let record else { return }
    appendLiteral("<span class=\"hidden-text\"> ")
    appendInterpolation(record)
    appendLiteral("</span>")
  }
}
