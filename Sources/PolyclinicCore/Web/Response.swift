/// The response of a handler: usually a page, which the layout frames, or a redirect.
public struct Response: Sendable {
  /// The status code (RFC 9110, 15).
  public var status: Int
  /// Header fields in addition to those of every response.
  public var headers: [Header] = []
  /// The body of the response.
  public var body: Body
  /// The changes besides the page; nil for nearly every response.
  package var effects: Effects? { stored?.effects }
  private var stored: StoredEffects?

  /// One header field (RFC 9110, 5).
  public struct Header: Sendable, Equatable {
    /// The field's name, a literal in the source.
    public let name: StaticString
    /// The field's value; line ends in it are not sent.
    public let value: String

    /// Creates a header field.
    public init(_ name: StaticString, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Returns true if both names and both values are equal, case-sensitively.
    public static func == (one: Header, other: Header) -> Bool {
      one.name.description == other.name.description && one.value == other.value
    }
  }

  /// The body of a response.
  public enum Body: Sendable {
    /// A page, framed by the layout in the visitor's language.
    case page(Page)
    /// Bytes of the given media type, sent unchanged.
    case bytes([UInt8], type: StaticString)
    /// A body of the given media type that is written while it is sent. Throw a ``Refusal`` before,
    /// because the status cannot change after the first bytes. An error thrown by `write` aborts
    /// the download.
    case stream(type: StaticString, write: @Sendable (ByteSink) throws -> Void)
    /// No body.
    case none
  }

  /// Creates a response of any kind; the functions below create the usual ones.
  public init(_ status: Int, _ body: Body = .none, headers: [Header] = []) {
    self.status = status
    self.body = body
    self.headers = headers
  }

  /// Returns a page with a heading and content.
  public static func page(_ title: Text, _ content: HTML, status: Int = 200) -> Response {
    Response(status, .page(Page(title, content)))
  }

  /// Returns a page with further properties than title and content.
  public static func page(_ page: Page, status: Int = 200) -> Response {
    Response(status, .page(page))
  }

  /// Returns 303 See Other: the browser loads the page at `path`. A relative path belongs to the
  /// module.
  public static func redirect(to path: Path) -> Response {
    Response(303, headers: [Header("Location", path.description)])
  }

  /// Returns plain text in UTF-8.
  public static func text(_ text: String, status: Int = 200) -> Response {
    Response(status, .bytes(Array(text.utf8), type: "text/plain; charset=utf-8"))
  }

  /// Returns a JSON value in UTF-8.
  public static func json(_ value: JSON, status: Int = 200) -> Response {
    Response(status, .bytes(value.encoded, type: "application/json"))
  }

  /// Returns a file that the browser saves under `name` (RFC 6266) instead of showing it.
  ///
  /// The name consists of ASCII letters, digits, dots and hyphens. It contains no personal data,
  /// because it stays in the list of downloads.
  public static func download(
    _ bytes: [UInt8], type: StaticString, as name: String
  ) -> Response {
    download(.bytes(bytes, type: type), as: name)
  }

  /// Returns a large file that is written while it is sent. See ``Body/stream(type:write:)``.
  public static func download(
    type: StaticString, as name: String,
    _ write: @escaping @Sendable (ByteSink) throws -> Void
  ) -> Response {
    download(.stream(type: type, write: write), as: name)
  }

  private static func download(_ body: Body, as name: String) -> Response {
    Response(
      200, body,
      headers: [Header("Content-Disposition", "attachment; filename=\"\(name)\"")])
  }

  /// The redirect's target within the portal; nil for any other response.
  package var location: Path? {
    headers.first { $0.name.description == "Location" }.flatMap { Path(local: $0.value) }
  }

  /// Returns this response, which stores a value of the module in the browser for a year.
  ///
  /// The value must not be personal. It is dropped unless it consists of 1 to 64 letters,
  /// digits, dots and hyphens. ``Context/keptInBrowser(_:)`` reads it.
  public func keeping(_ value: String, inBrowserOf module: ModuleID, as name: StaticString)
    -> Response
  {
    guard Client.isKeepable(value) else { return self }
    var effects = Effects()
    effects.cookies = [Effects.Cookie(Client.name(name.description, of: module), value)]
    return with(effects)
  }

  /// Returns this response with further effects.
  package func with(_ effects: Effects) -> Response {
    var (answer, all) = (self, self.effects ?? Effects())
    all.add(effects)
    answer.stored = StoredEffects(all)
    return answer
  }

  /// Returns this response, whose page belongs below the navigation entry of `area`, if it is a
  /// page.
  package func marking(_ area: @autoclosure () throws -> Path?) rethrows -> Response {
    guard case .page(var page) = body, let area = try area() else { return self }
    var answer = self
    page.area = area
    answer.body = .page(page)
    return answer
  }

  /// Returns this response with one more header field.
  public func adding(_ header: Header) -> Response {
    var answer = self
    answer.headers.append(header)
    return answer
  }
}

/// A module's part of a page: the layout adds the frame, and the heading if the content has none.
public struct Page: Sendable {
  /// The heading and the browser's title. It may name a public record, such as a clinic, but no
  /// personal one, because browsers keep titles in their history.
  public let title: Text
  /// The content below the heading, or including the heading; see ``hasOwnHeading``.
  public let content: HTML
  /// The target of the link "Back"; nil at the top of a module.
  public var back: Path?
  /// The words of that link, such as "Back to 3 doctors" or the name of a clinic; nil for the title
  /// of the entry in the navigation, the module or the route, or "Back" if none has one.
  public var backLabel: Text?
  /// Buttons that the layout adds beside the heading.
  public let actions: HTML?
  /// The style sheets and scripts beside those of every page. The page also works without the
  /// scripts.
  public var assets: [Page.Asset]
  /// The width of the content on a large screen.
  public var width: Width
  /// True if the content begins with a heading of its own, in place of the title.
  public let hasOwnHeading: Bool
  /// The page of the module below whose navigation entry this page belongs; nil for the entry
  /// nearest to the page's own address.
  ///
  /// An address that patients and staff share, such as that of an appointment, names the entry from
  /// which the visitor came.
  public var area: Path?
  /// The number of seconds after which a script asks for the page again and updates the parts that
  /// changed; nil for never. What the visitor has typed stays.
  public var refresh: Int?
  /// The number of seconds after which a browser without scripts loads the page again; nil for
  /// never.
  ///
  /// By default as ``refresh``. A load moves the keyboard focus and a screen reader back to the top
  /// (WCAG 2.2.1 and 3.2.5), so a page on which people work leaves it to them.
  public var reload: Int?
  /// The preview that messengers show for a link to the page; nil for none.
  public var preview: Page.LinkPreview?
  /// The public pages that the browser stores for offline use when this page is shown.
  ///
  /// They are loaded again without a session, and an address that requires sign-in is not stored.
  public var keptOffline: [Path] = []

  /// The width of a page on a large screen.
  public enum Width: String, Sendable {
    /// A short form in the middle, for pages before sign-in.
    case entrance
    /// A list, a form or a question: one width, so that the pages of a journey do not jump.
    case regular
    /// Cards or a table.
    case wide
    /// A short message in the middle: an error page with its reason.
    case outside
    /// An offline copy with only the portal's name in its frame, without parts that need a session
    /// or a network.
    case copy
    /// The whole screen, black on white in any colour scheme and without the portal's frame, for
    /// showing it to another person.
    case screen
  }

  /// Creates a page with its title as the heading, or with a heading of its own at the beginning of
  /// the content, such as the name of a record.
  ///
  /// A page with its own heading has no `actions`, because buttons beside that heading are part of
  /// the content: `<div class="title"><h1>…</h1>\(actions: …)</div>`.
  public init(
    _ title: Text, _ content: HTML, back: Path? = nil, actions: HTML? = nil,
    assets: [Page.Asset] = [], width: Width = .regular, hasOwnHeading: Bool = false,
    refresh: Int? = nil
  ) {
    self.title = title
    self.content = content
    self.back = back
    self.actions = actions
    self.assets = assets
    self.width = width
    self.hasOwnHeading = hasOwnHeading
    self.refresh = refresh
    reload = refresh
  }
}
