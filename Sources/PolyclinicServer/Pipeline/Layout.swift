import PolyclinicCore

/// Puts a page into its frame: head, navigation of the modules, account menu, languages.
struct Layout {
  let visit: Visit
  /// The module that the page belongs to.
  let member: Installation.Member?

  /// The response as it goes to the web server.
  func framed(_ response: Response) -> WireResponse {
    var wire = WireResponse(status: response.status)
    wire.headers = response.headers.map { ($0.name, $0.value) }
    switch response.body {
    case .none: break
    case .bytes(let bytes, let type):
      wire.headers.append(("Content-Type", type.description))
      wire.body = bytes
    case .page(let page):
      wire.headers.append(("Content-Type", "text/html; charset=utf-8"))
      wire.body = html(page).bytes
    }
    if !response.headers.contains(where: { $0.name.description == "Cache-Control" }) {
      wire.headers.append(("Cache-Control", "no-store"))
    }
    if visit.clearsSiteData {
      wire.headers.append(("Clear-Site-Data", "\"cache\", \"storage\""))
    }
    // Last: framing a form may have made the visitor's cookie.
    wire.headers += visit.setCookies(for: response.status).map { ("Set-Cookie", $0) }
    return wire
  }

  private var words: Phrasebook {
    member?.phrasebook ?? visit.front.installation.phrasebook
  }

  private func text(_ text: Text) -> String { words.string(text, in: visit.language) }

  private func html(_ page: Page) -> HTML {
    let assets = visit.front.assets
    let title = text(page.title)
    let clinic = visit.front.site.clinic.name
    let scripts = ["menu.js"] + page.scripts.map(\.description)
    let refresh: HTML? = page.refresh.map {
      "<meta http-equiv=\"refresh\" content=\"\($0)\">\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="\(visit.language.code)" dir="\(visit.language.direction)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(refresh)<title>\(title) · \(clinic)</title>
      <link rel="icon" href="\(assets.path(of: "icon.svg"))" type="image/svg+xml">
      <link rel="icon" href="/favicon.ico" sizes="48x48">
      <link rel="apple-touch-icon" href="\(assets.path(of: "apple-touch-icon.png"))">
      <link rel="manifest" href="/manifest.webmanifest">
      <link rel="stylesheet" href="\(assets.path(of: "style.css"))">
      <link rel="stylesheet" href="\(assets.path(of: "print.css"))" media="print">
      \(each: scripts, { "<script src=\"\(assets.path(of: $0))\" defer></script>\n" })</head>
      <body>
      <a class="skip" href="#main">\(text("frame.skip"))</a>
      <header class="site"><div class="wrap">
      <a class="brand" href="/"><img src="\(assets.path(of: "icon.svg"))" alt="" width="32" height="32">\
      <span>\(clinic)</span></a>
      \(navigation)
      \(account)
      </div></header>
      <main id="main" class="\(page.width.rawValue)">
      \(back(page))\(heading(page, title))
      \(page.content)
      </main>
      \(footer)
      </body>
      </html>

      """
  }

  private func back(_ page: Page) -> HTML? {
    page.back.map {
      "<a class=\"back\" href=\"\($0.resolved(in: member?.module.id ?? "home"))\">\(text("frame.back"))</a>\n"
    }
  }

  private func heading(_ page: Page, _ title: String) -> HTML {
    if page.hasOwnHeading { return HTML() }
    guard let actions = page.actions else { return "<h1>\(title)</h1>" }
    return "<div class=\"title\"><h1>\(title)</h1>\(actions)</div>"
  }

  private var navigation: HTML? {
    guard let visitor = visit.session?.visitor else { return nil }
    let items: [HTML] = visit.front.installation.enabled.flatMap { member in
      member.links.filter { $0.access.includes(visitor) }.map { link in
        let isCurrent = member.module.id == self.member?.module.id
        let label = member.phrasebook.string(link.title, in: visit.language)
        return """
          <li><a href="\(link.path.resolved(in: member.module.id))"\
          \(attribute: " aria-current=\"page\"", if: isCurrent)>\(label)</a></li>
          """
      }
    }
    return """
      <nav class="modules" aria-label="\(text("frame.modules"))"><ul>\(items)</ul></nav>
      """
  }

  private var account: HTML {
    guard let visitor = visit.session?.visitor else {
      return """
        <nav class="account" aria-label="\(text("frame.account"))">\
        <a class="button plain" href="/login">\(text("frame.sign-in"))</a></nav>
        """
    }
    return """
      <details class="account"><summary>\
      <span class="who"><span class="initial" aria-hidden="true">\(String(visitor.name.prefix(1)))\
      </span><span class="name">\(visitor.name)</span></span></summary>
      <div class="menu"><ul><li><a href="/account">\(text("frame.profile"))</a></li>\
      <li><a href="/account/sessions">\(text("frame.sessions"))</a></li>\
      <li><a href="/account/deleted">\(text("frame.deleted"))</a></li></ul>
      <form method="post" action="/logout">\(token)<button>\(text("frame.sign-out"))</button></form>\
      </div></details>
      """
  }

  private var token: HTML {
    "<input type=\"hidden\" name=\"csrf\" value=\"\(visit.antiForgeryToken)\">"
  }

  private var footer: HTML {
    let site = visit.front.site
    let languages: HTML? =
      site.clinic.languages.count < 2
      ? nil
      : """
      <form class="languages" method="post" action="/language" \
      aria-label="\(text("frame.language"))">\(token)\
      <input type="hidden" name="next" value="\(nextPath)">\
      \(each: site.clinic.languages, language)</form>
      """
    return """
      <footer class="site"><div class="wrap">
      <ul><li><a href="/privacy">\(text("frame.privacy"))</a></li>\(contact)</ul>
      \(languages)
      </div></footer>
      """
  }

  private var contact: HTML? {
    let contact = visit.front.site.clinic.contact
    return contact.isEmpty ? nil : "<li><bdi>\(contact)</bdi></li>"
  }

  private func language(_ language: Language) -> HTML {
    """
    <button name="language" value="\(language.code)" lang="\(language.code)"\
    \(attribute: " aria-current=\"true\"", if: language == visit.language)>\(language.name)</button>
    """
  }

  /// Where a change of language leads back to: this page, if it is one that can be asked for.
  private var nextPath: String {
    if visit.wire.method == "GET" { return visit.wire.target }
    guard case .found = visit.front.installation.router.match(.get, visit.wire.path) else {
      return "/"
    }
    return visit.wire.path
  }
}
