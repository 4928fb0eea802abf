extension Page {
  /// A style sheet or a script of pages: a file of a module, which is embedded in the program, or one
  /// of those that the portal has for all modules.
  ///
  /// ```swift
  /// extension Page.Asset {
  ///   static let map = Self("map.js", PackageResources.map_js)
  /// }
  /// ```
  ///
  /// A module lists its own files in ``Module/assets``, and a page names the files that it loads in
  /// ``Page/assets``.
  public struct Asset: Sendable {
    /// The file's name, which ends in `.css` or `.js`; the path below `www` for a file of the portal.
    package let name: String
    /// The content of a module's file; nil for a file of `www`.
    package let content: [UInt8]?
    /// The pages that load the file.
    package let scope: Scope

    /// The pages that load a file.
    public enum Scope: Sendable {
      /// The pages that name it in ``Page/assets``.
      case namingPages
      /// Every page of the portal, because cards of the home page need it, for example. Only a style
      /// sheet can be; the portal joins those of all modules.
      case everyPage
    }

    /// Creates a module's file from its name and its embedded content.
    public init(_ name: StaticString, _ content: [UInt8], for scope: Scope = .namingPages) {
      self.name = name.description
      self.content = content
      self.scope = scope
    }

    /// Names a file of `www`.
    package init(www path: StaticString) {
      name = path.description
      content = nil
      scope = .namingPages
    }

    /// True for a style sheet, false for a script.
    package var isStyle: Bool { name.hasSuffix(".css") }
  }
}

extension Page.Asset {
  /// The script of ``Context/copyButton(_:of:copied:)``.
  public static let copy = Page.Asset(www: "scripts/copy.js")
  /// The script of a button that prints the page.
  public static let print = Page.Asset(www: "scripts/print.js")
  /// The style of pages of the width ``Page/Width/screen``.
  public static let screen = Page.Asset(www: "styles/screen.css")
  /// The script that shows a list's results while the visitor types into its search form.
  public static let search = Page.Asset(www: "scripts/search.js")
  /// The script of the button that asks for permission to show notifications in the browser.
  public static let browserNotices = Page.Asset(www: "scripts/browser-notices.js")

  /// The style and the script of a form's repeating rows.
  static let rows = [Page.Asset(www: "styles/rows.css"), Page.Asset(www: "scripts/rows.js")]
  /// The style and the script of password fields.
  package static let password = [
    Page.Asset(www: "styles/password.css"), Page.Asset(www: "scripts/password.js"),
  ]
  /// The script that suggests cities.
  static let cities = Page.Asset(www: "scripts/cities.js")
}
