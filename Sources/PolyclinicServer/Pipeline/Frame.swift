import PolyclinicCore

/// What all pages have in common that one module shows in one language to people of the same roles:
/// the markup around what differs from page to page, made once.
final class Frame {
  /// Before the title.
  let beginning: HTML
  /// From behind the title to the scripts of the page.
  let head: HTML
  /// From there to how many notices are unread, or to the page where nobody has signed in.
  let header: HTML
  /// From there to the visitor's initial; empty for nobody.
  let account: HTML
  /// From behind the visitor's name to the token, and from there to the page; empty for nobody.
  let menu: (HTML, HTML)
  /// From behind the page to the token, from there to where a language leads, and the end.
  let footer: (HTML, HTML, HTML)

  /// `--bar` and `--page` of `style.css`: what a device paints around an installed portal.
  static let barColour = "#0a6062"
  static let pageColour = "#f3f7f7"

  init(
    _ front: Front, _ member: Installation.Member?, _ language: Language, _ visitor: Visitor?,
    link: Int?
  ) {
    let words = FrameWords(front: front, member: member, language: language, link: link)
    beginning = words.beginning
    head = words.head(visitor)
    header = words.header(visitor)
    account = visitor == nil ? HTML() : words.summary
    menu = visitor == nil ? (HTML(), HTML()) : words.menu
    footer = words.footer
  }
}

/// The frames that one thread has made.
final class Frames {
  private let front: Front
  private var made: [Key: Frame] = [:]

  private struct Key: Hashable {
    let member: Int
    let language: Language
    /// A bit a role; nil for nobody.
    let roles: UInt8?
    /// Which of the module's links leads nearest to the page.
    let link: Int?
  }

  init(_ front: Front) { self.front = front }

  func frame(
    _ member: Installation.Member?, _ language: Language, _ visitor: Visitor?, at path: String
  ) -> Frame {
    let link = member?.link(nearestTo: path)
    let key = Key(
      member: member?.number ?? -1, language: language, roles: visitor.map { Self.bits($0.roles) },
      link: link)
    if let known = made[key] { return known }
    let frame = Frame(front, member, language, visitor, link: link)
    made[key] = frame
    return frame
  }

  private static func bits(_ roles: Set<Role>) -> UInt8 {
    Role.allCases.reduce(0) { $0 << 1 | (roles.contains($1) ? 1 : 0) }
  }
}

/// Says the parts of a frame.
private struct FrameWords {
  let front: Front
  let member: Installation.Member?
  let language: Language
  /// Which of the member's links is marked as the current one.
  let link: Int?

  private var clinic: Organization { front.site.clinic }

  private func text(_ text: Text) -> String {
    (member?.phrasebook ?? front.installation.phrasebook).string(text, in: language)
  }

  private func asset(_ name: String) -> Path { front.assets.path(of: name) }

  var beginning: HTML {
    """
    <!DOCTYPE html>
    <html lang="\(language.code)" dir="\(language.direction)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="\(Frame.barColour)">

    """
  }

  func head(_ visitor: Visitor?) -> HTML {
    let notices: HTML? =
      visitor == nil ? nil : "<script src=\"\(asset("notices.js"))\" defer></script>\n"
    return """
       · \(clinic.name)</title>
      <link rel="icon" href="\(asset("icon.svg"))" type="image/svg+xml">
      <link rel="icon" href="/favicon.ico" sizes="48x48">
      <link rel="apple-touch-icon" href="\(asset("apple-touch-icon.png"))">
      <link rel="manifest" href="/manifest.webmanifest">
      <link rel="stylesheet" href="\(asset("style.css"))">
      <link rel="stylesheet" href="\(asset("print.css"))" media="print">
      <script src="\(asset("menu.js"))" defer></script>
      \(notices)
      """
  }

  func header(_ visitor: Visitor?) -> HTML {
    let home: Path = visitor == nil ? "/" : "/start"
    return """
      </head>
      <body>
      <a class="skip" href="#main">\(text("frame.skip"))</a>
      <header class="site"><div class="wrap">
      <a class="brand" href="\(home)"><img src="\(asset("sign.svg"))" alt="" width="28" height="28">\
      <span>\(clinic.name)</span></a>
      \(visitor.map(navigation))
      \(visitor == nil ? signIn : bell)
      """
  }

  private func navigation(_ visitor: Visitor) -> HTML {
    let items: [HTML] = front.installation.enabled.flatMap { member in
      member.links.enumerated().filter { $0.element.access.includes(visitor) }.map { number, link in
        let isCurrent = member.number == self.member?.number && number == self.link
        let label = member.phrasebook.string(link.title, in: language)
        return """
          <li\(attribute: " class=\"current\"", if: isCurrent)>\
          <a href="\(link.path.resolved(in: member.module.id))"\
          \(attribute: " aria-current=\"page\"", if: isCurrent)>\(label)</a></li>
          """
      }
    }
    return """
      <nav class="modules" aria-label="\(text("frame.modules"))"><ul>\(items)</ul></nav>
      """
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
    <svg class="icon" aria-hidden="true"><use href="\(asset("icons.svg"))#bell"/></svg>\
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
      <div class="menu"><ul><li><a href="/account">\(text("frame.profile"))</a></li>\
      <li><a href="/account/sessions">\(text("frame.sessions"))</a></li>\
      <li><a href="/account/deleted">\(text("frame.deleted"))</a></li></ul>
      <form method="post" action="/logout">
      """,
      """
      <button>\(text("frame.sign-out"))</button></form></div></details>
      </div></header>

      """
    )
  }

  var footer: (HTML, HTML, HTML) {
    let contact: HTML? = clinic.contact.isEmpty ? nil : "<li><bdi>\(clinic.contact)</bdi></li>"
    let beginning: HTML = """
      </main>
      <footer class="site"><div class="wrap">
      <ul><li><a href="/privacy">\(text("frame.privacy"))</a></li>\
      <li><a href="/useful-contacts">\(text("useful-contacts.title"))</a></li>\(contact)</ul>

      """
    let end: HTML = "\n</div></footer>\n</body>\n</html>\n"
    if clinic.languages.count < 2 { return (beginning + end, HTML(), HTML()) }
    return (
      """
      \(beginning)<form class="languages" method="post" action="/language" \
      aria-label="\(text("frame.language"))">
      """,
      "<input type=\"hidden\" name=\"next\" value=\"",
      "\">\(each: clinic.languages, button)</form>\(end)"
    )
  }

  private func button(_ offered: Language) -> HTML {
    """
    <button name="language" value="\(offered.code)" lang="\(offered.code)"\
    \(attribute: " aria-current=\"true\"", if: offered == language)>\(offered.name)</button>
    """
  }
}

extension Installation.Member {
  /// The link whose area the page stands in, the smallest of them; nil for a module without any.
  ///
  /// A link that this visitor does not see may be it: then none is marked.
  fileprivate func link(nearestTo path: String) -> Int? {
    guard links.count > 1 else { return links.isEmpty ? nil : 0 }
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
