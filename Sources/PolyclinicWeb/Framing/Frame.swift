import PolyclinicCore

/// The markup around pages, cached because it is the same for one module, language, set of roles
/// and current link.
package final class Frame {
  /// The markup before the title.
  let beginning: HTML
  /// The markup from the end of the title to the page's assets.
  package let head: HTML
  /// The markup from the page's assets to the number of unread notices, or to the page itself if
  /// the visitor is not signed in.
  package let header: HTML
  /// The places in the header at which paths to pages of the person in care begin.
  let headerPaths: [Int]
  /// The markup from the unread number to the visitor's initial. Empty if the visitor is not signed
  /// in.
  package let account: HTML
  /// The markup from the visitor's name to the anti-forgery token, and from the token to the page.
  /// Both are empty if the visitor is not signed in.
  let menu: (HTML, HTML)
  /// The markup from the page's assets to the page of an offline copy, with only the portal's
  /// name.
  let copyHeader: HTML
  /// The markup after the page, in three parts: up to the token of the language form, up to the
  /// path that the form returns to, and the rest.
  let footer: (HTML, HTML, HTML)
  /// The size of all parts of a page's frame.
  let byteCount: Int

  /// `--bar` and `--page` of `style.css`: the colours that a device paints around an installed
  /// portal. Pages name no colour, because browsers then follow the page in either scheme.
  package static let barColour = "#06393b"
  package static let pageColour = "#f8f4ec"

  init(_ words: FrameWords, for visitor: Visitor?) {
    beginning = words.beginning
    head = words.head(visitor)
    let header = words.header(visitor)
    self.header = header
    headerPaths =
      visitor?.inCare.map { inCare in
        header.paths { words.server.installation.isPage($0, of: inCare) }
      } ?? []
    copyHeader = words.copyHeader
    account = visitor == nil ? HTML() : words.summary
    menu = visitor == nil ? (HTML(), HTML()) : words.menu
    footer = words.footer
    byteCount = [
      beginning, head, header, account, menu.0, menu.1, footer.0, footer.1, footer.2,
    ].reduce(0) { $0 + $1.byteCount }
  }
}

/// The cache of frames of one thread.
final class Frames {
  private var made: [Key: Frame] = [:]

  private struct Key: Hashable {
    let member: Int
    let language: Language
    /// One bit for each role; nil if the visitor is not signed in.
    let roles: UInt8?
    /// The index of the module's link whose area contains the page.
    let link: Int?
    let textSize: TextSize
    /// The rights over another person's data; nil on the visitor's own pages.
    let rights: PersonInCare.Rights?
  }

  func frame(_ words: FrameWords, for visitor: Visitor?) -> Frame {
    let key = Key(
      member: words.member?.number ?? -1, language: words.language,
      roles: visitor.map { Self.bits($0.roles) }, link: words.link, textSize: words.textSize,
      rights: visitor?.inCare?.rights)
    if let known = made[key] { return known }
    let frame = Frame(words, for: visitor)
    made[key] = frame
    return frame
  }

  private static func bits(_ roles: Set<Role>) -> UInt8 {
    Role.allCases.reduce(0) { $0 << 1 | (roles.contains($1) ? 1 : 0) }
  }
}

/// Writes the parts of a frame in one language.
struct FrameWords {
  let server: ServerContext
  let member: InstalledModule?
  let language: Language
  /// The index of the link that is marked as current.
  let link: Int?
  let textSize: TextSize

  private var clinic: Portal.Organization { server.site.clinic }

  private func text(_ text: Text) -> String {
    (member?.phrasebook ?? server.installation.phrasebook).string(text, in: language)
  }

  private func asset(_ name: String) -> Path { server.assets.path(of: name) }

  var beginning: HTML {
    """
    <!DOCTYPE html>
    <html lang="\(language.code)" dir="\(language.direction)"\
    \(textSize == .usual ? nil : " class=\"\(textSize.rawValue)\"")>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">

    """
  }

  func head(_ visitor: Visitor?) -> HTML {
    let notices: HTML? =
      visitor == nil ? nil : "<script src=\"\(asset("scripts/notices.js"))\" defer></script>\n"
    let style: HTML? = server.installation.assets.style.map {
      "<link rel=\"stylesheet\" href=\"\($0)\">\n"
    }
    return """
       · \(clinic.name)</title>
      <link rel="icon" href="\(asset("icons/icon.svg"))" type="image/svg+xml">
      <link rel="icon" href="/favicon.ico" sizes="48x48">
      <link rel="apple-touch-icon" href="\(asset("icons/apple-touch-icon.png"))">
      <link rel="manifest" href="/manifest.webmanifest">
      <link rel="stylesheet" href="\(asset("styles/style.css"))">
      \(style)<link rel="stylesheet" href="\(asset("styles/print.css"))" media="print">
      <script src="\(asset("scripts/menu.js"))" defer></script>
      \(notices)
      """
  }

  func header(_ visitor: Visitor?) -> HTML {
    let navigation = NavigationBar(
      entries: entries(for: visitor), icons: asset("icons/icons.svg"), label: text("frame.modules"),
      more: text("frame.more")
    ).html
    let bar: HTML? = navigation == nil ? nil : " has-bar"
    return """
      \(beginning(bar, home: visitor == nil || visitor?.inCare != nil ? "/" : "/start"))\(navigation)
      \(textSizeMenu(for: visitor))\(visitor == nil ? signIn : bell)
      """
  }

  /// The header without links that need a network.
  var copyHeader: HTML { "\(beginning(nil, home: "/"))</div></header>\n" }

  private func beginning(_ style: HTML?, home: Path) -> HTML {
    """
    </head>
    <body>
    <a class="skip" href="#main">\(text("frame.skip"))</a>
    <header class="site\(style)"><div class="wrap">
    <a class="brand" href="\(home)"><img src="\(server.installation.assets.logo ?? asset("icons/sign.svg"))" alt="" width="28" height="28">\
    <span>\(clinic.name)</span></a>

    """
  }

  /// Returns the links that the visitor may use. Without a sign-in these are the links of modules
  /// that are open to everyone.
  private func entries(for visitor: Visitor?) -> [NavigationBar.Entry] {
    let entries = server.installation.enabled.flatMap { member in
      member.links.enumerated().filter { _, link in
        visitor.map {
          link.access.includes($0)
            && server.installation.includes($0, at: link.path.resolved(in: member.module.id))
        } ?? link.access.isOpen(under: member.settings)
      }.map { number, link in
        NavigationBar.Entry(
          path: link.path.resolved(in: member.module.id), icon: link.icon,
          title: member.phrasebook.string(link.title, in: language),
          isCurrent: member.number == self.member?.number && number == self.link,
          isLast: link.isLast)
      }
    }
    return entries.filter { !$0.isLast } + entries.filter(\.isLast)
  }

  private var signIn: HTML {
    """
    <nav class="account" aria-label="\(text("frame.account"))">\
    <a class="button plain" href="/login">\(text("frame.sign-in"))</a></nav>
    </div></header>

    """
  }

  private var bell: HTML {
    """
    <a class="bell" href="/notifications">\
    <svg class="icon" aria-hidden="true"><use href="\(asset("icons/icons.svg"))#bell"/></svg>\
    <span class="hidden-text">\(text("frame.notifications")) </span>
    """
  }

  var summary: HTML {
    """
    </a>
    <details class="account"><summary>\
    <span class="who"><span class="initial" aria-hidden="true">
    """
  }

  var menu: (HTML, HTML) {
    (
      """
      </span></span></summary>
      <div class="menu"><ul><li><a href="/account">\(text("frame.settings"))</a></li>\
      <li><a href="/account/people">\(text("frame.people-in-care"))</a></li>\
      <li><a href="/notifications/preferences">\(text("frame.notification-settings"))</a></li>\
      <li><a href="/account/sessions">\(text("frame.sessions"))</a></li>\
      <li><a href="/account/deleted">\(text("frame.deleted"))</a></li></ul>\(textSizes)\(languages)
      <form method="post" action="/logout">
      """,
      """
      <button>\(text("frame.sign-out"))</button></form></div></details>
      </div></header>

      """
    )
  }

  /// Returns the menu of text sizes in the header. Large text on a phone leaves it no place beside
  /// the account menu, which has the sizes too.
  private func textSizeMenu(for visitor: Visitor?) -> HTML {
    """
    <details class="text-size\(attribute: " spare", if: visitor != nil)"><summary><span aria-hidden="true">\(text("frame.text-sign"))</span>\
    <span class="hidden-text">\(text("frame.text-size"))</span></summary>\
    <div class="menu">\(textSizes)</div></details>
    """
  }

  /// The sizes of all text. Their buttons belong to the form of the footer, as those of languages.
  private var textSizes: HTML {
    """
    <div class="sizes" role="group" aria-label="\(text("frame.text-size"))">\
    \(each: TextSize.allCases, { size in
      """
      <button form="site-language" formaction="/text-size" name="size" value="\(size.rawValue)"\
      \(attribute: " aria-current=\"true\"", if: size == textSize)>\(text(Text("frame.text-\(size.rawValue)")))</button>
      """
    })</div>
    """
  }

  /// The languages in the account menu. Their buttons belong to the form of the footer, which knows
  /// the page to return to.
  private var languages: HTML? {
    if clinic.languages.count < 2 { return nil }
    return """
      <div class="languages" role="group" aria-label="\(text("frame.language"))">\
      \(each: clinic.languages, { button($0, of: " form=\"site-language\"") })</div>
      """
  }

  var footer: (HTML, HTML, HTML) {
    let contact: HTML? = clinic.contact.isEmpty ? nil : "<li><bdi>\(clinic.contact)</bdi></li>"
    let beginning: HTML = """
      </main>
      <footer class="site"><div class="wrap">
      <ul><li><a href="/privacy">\(text("frame.privacy"))</a></li>\
      <li><a href="/useful-contacts">\(text("useful-contacts.title"))</a></li>\(contact)</ul>

      """
    let label: HTML? =
      clinic.languages.count < 2 ? nil : " aria-label=\"\(text("frame.language"))\""
    return (
      """
      \(beginning)<form class="languages" id="site-language" method="post" action="/language"\(label)>
      """,
      "<input type=\"hidden\" name=\"next\" value=\"",
      """
      ">\(each: clinic.languages.count < 2 ? [] : clinic.languages, { button($0) })</form>
      </div></footer>
      </body>
      </html>

      """
    )
  }

  private func button(_ offered: Language, of form: HTML? = nil) -> HTML {
    """
    <button name="language" value="\(offered.code)" lang="\(offered.code)"\(form)\
    \(attribute: " aria-current=\"true\"", if: offered == language)>\(offered.name)</button>
    """
  }
}

extension InstalledModule {
  /// Returns the index of the link with the smallest area that contains the page; nil if none does.
  ///
  /// The visitor may have no access to that link. In that case no link is marked as current.
  func link(nearestTo path: String) -> Int? {
    // A plugin with one link has all its pages below that link. Pages of built-in modules can be at
    // any path.
    if links.count == 1, !isBuiltIn { return 0 }
    var nearest: (number: Int, length: Int)?
    for (number, place) in linkPlaces.enumerated() where place.isAbove(path) {
      if place.utf8.count > nearest?.length ?? -1 { nearest = (number, place.utf8.count) }
    }
    return nearest?.number
  }
}

extension String {
  fileprivate func isAbove(_ path: String) -> Bool {
    guard path.hasPrefix(self) else { return false }
    return path.utf8.count == utf8.count
      || path.utf8.dropFirst(utf8.count).first == UInt8(ascii: "/")
  }
}
