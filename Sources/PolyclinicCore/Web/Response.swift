/// What a handler answers: most often a page, which the layout frames, or the way to another.
public struct Response: Sendable {
  /// The status code (RFC 9110, 15).
  public var status: Int
  /// Header fields besides those that every answer has.
  public var headers: [Header] = []
  /// What follows them.
  public var body: Body

  /// One header field (RFC 9110, 5).
  public struct Header: Sendable, Equatable {
    /// The field's name; it stands in the source.
    public let name: StaticString
    /// The field's value; line ends in it are not sent.
    public let value: String

    /// A header field.
    public init(_ name: StaticString, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Whether name and value are the same, letter by letter.
    public static func == (one: Header, other: Header) -> Bool {
      one.name.description == other.name.description && one.value == other.value
    }
  }

  /// What follows the header fields.
  public enum Body: Sendable {
    /// Framed by the layout, in the visitor's language.
    case page(Page)
    /// Sent as it is, with this media type.
    case bytes([UInt8], type: StaticString)
    /// Written while it is sent, with this media type. Refuse before: after its first bytes the status
    /// cannot change, and an error that `write` throws breaks the download.
    case stream(type: StaticString, write: @Sendable (ByteSink) throws -> Void)
    /// Nothing.
    case none
  }

  /// An answer of any kind; the functions below make the usual ones.
  public init(_ status: Int, _ body: Body = .none, headers: [Header] = []) {
    self.status = status
    self.body = body
    self.headers = headers
  }

  /// A page with its heading and content.
  public static func page(_ title: Text, _ content: HTML, status: Int = 200) -> Response {
    Response(status, .page(Page(title, content)))
  }

  /// A page that says more of itself than title and content.
  public static func page(_ page: Page, status: Int = 200) -> Response {
    Response(status, .page(page))
  }

  /// 303 See Other: the browser fetches that page next. A relative path is the module's own.
  public static func redirect(to path: Path) -> Response {
    Response(303, headers: [Header("Location", path.description)])
  }

  /// Plain text in UTF-8.
  public static func text(_ text: String, status: Int = 200) -> Response {
    Response(status, .bytes(Array(text.utf8), type: "text/plain; charset=utf-8"))
  }

  /// A JSON value in UTF-8.
  public static func json(_ value: JSON, status: Int = 200) -> Response {
    Response(status, .bytes(value.encoded, type: "application/json"))
  }

  /// A file that the browser keeps under that name (RFC 6266) instead of showing it. The name is of plain
  /// letters, digits, dots and hyphens, and says nothing of a person: it stays in the list of downloads.
  public static func download(
    _ bytes: [UInt8], type: StaticString, as name: String
  ) -> Response {
    download(.bytes(bytes, type: type), as: name)
  }

  /// A file that is written while it is sent, for what may be large. See ``Body/stream(type:write:)``.
  public static func download(
    type: StaticString, as name: String, _ write: @escaping @Sendable (ByteSink) throws -> Void
  ) -> Response {
    download(.stream(type: type, write: write), as: name)
  }

  private static func download(_ body: Body, as name: String) -> Response {
    Response(
      200, body,
      headers: [Header("Content-Disposition", "attachment; filename=\"\(name)\"")])
  }

  /// Where it leads to within the portal; nil for an answer that leads nowhere.
  var location: Path? {
    headers.first { $0.name.description == "Location" }.flatMap { Path(local: $0.value) }
  }

  /// This answer with one more header field.
  public func adding(_ header: Header) -> Response {
    var answer = self
    answer.headers.append(header)
    return answer
  }
}

/// A page's part that is its own: the layout adds the frame, and the heading where the content has none.
public struct Page: Sendable {
  /// The heading, and the browser's title; it names no record, since browsers keep titles.
  public let title: Text
  /// All that stands below the heading, or the heading as well; see ``hasOwnHeading``.
  public let content: HTML
  /// Where "Back" leads; none at the top of a module.
  public var back: Path?
  /// Buttons beside the heading that the layout adds.
  public let actions: HTML?
  /// Scripts in `www` that the page is more comfortable with, such as `search.js`.
  public var scripts: [StaticString]
  /// How much of a large screen it takes.
  public var width: Width
  /// Whether the content begins with a heading of its own, in place of the title.
  public let hasOwnHeading: Bool
  /// Seconds after which the page asks for itself again, and a script changes what differs; nil for never.
  public var refresh: Int?
  /// The card that messengers show for a link to the page; nil for none.
  public var preview: LinkPreview?
  /// The pages that the browser keeps, for reading without a network, when this one is shown: addresses
  /// that everybody may read. They are fetched anew as for somebody who has not signed in, and nothing is
  /// kept of an address that wants a sign-in.
  public var keptOffline: [Path] = []

  /// How much of a large screen the page takes.
  public enum Width: String, Sendable {
    /// What stands before the portal: a short form in the middle.
    case entrance
    /// A question or a short form.
    case narrow
    /// A list or a long form.
    case regular
    /// Cards or a table.
    case wide
    /// A few words in the middle: what cannot be shown, and why.
    case outside
    /// The whole screen, black on white in any scheme, without the portal's frame: for others to look at.
    case screen
  }

  /// A page with its title as the heading; what is not given is left out.
  public init(
    _ title: Text, _ content: HTML, back: Path? = nil, actions: HTML? = nil,
    scripts: [StaticString] = [], width: Width = .regular, refresh: Int? = nil
  ) {
    self.title = title
    self.content = content
    self.back = back
    self.actions = actions
    self.scripts = scripts
    self.width = width
    hasOwnHeading = false
    self.refresh = refresh
  }

  /// A page whose content begins with a heading of its own, such as the name of a record. It takes no
  /// `actions`: buttons beside its heading are part of the content,
  /// `<div class="title"><h1>…</h1><p class="actions">…</p></div>`.
  public init(
    _ title: Text, _ content: HTML, back: Path? = nil, scripts: [StaticString] = [],
    width: Width = .regular, hasOwnHeading: Bool, refresh: Int? = nil
  ) {
    self.title = title
    self.content = content
    self.back = back
    actions = nil
    self.scripts = scripts
    self.width = width
    self.hasOwnHeading = hasOwnHeading
    self.refresh = refresh
  }
}
