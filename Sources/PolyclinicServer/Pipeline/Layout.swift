import PolyclinicCore

/// Puts a page into its ``Frame``.
struct Layout {
  let visit: Visit
  /// The module that the page belongs to.
  let member: Installation.Member?
  let frames: Frames

  /// The response as it goes to the web server.
  func framed(_ response: Response) -> WireResponse {
    var wire = WireResponse(status: response.status)
    wire.headers = response.headers.map { ($0.name, $0.value) }
    switch response.body {
    case .none: break
    case .bytes(let bytes, let type):
      wire.headers.append(("Content-Type", type.description))
      wire.content = .bytes(bytes)
    case .stream(let type, let write):
      wire.headers.append(("Content-Type", type.description))
      // Of an answer to HEAD nginx sends the head alone: the rest is not even made.
      if visit.wire.method != "HEAD" { wire.content = .stream(write) }
    case .page(let page):
      wire.headers.append(("Content-Type", "text/html; charset=utf-8"))
      wire.content = .page(html(page))
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
    let frame = frames.frame(
      member, visit.language, visit.session?.visitor, at: visit.path)
    let title = text(page.title)
    if page.width == .screen {
      return """
        \(frame.beginning)<title>\(title)\(frame.head)\(each: page.scripts, script)</head>
        <body><main id="main" class="\(page.width.rawValue)">
        \(page.content)
        </main>
        </body>
        </html>

        """
    }
    return """
      \(frame.beginning)<title>\(title)\(frame.head)\(each: page.scripts, script)\
      \(page.refresh.map(refresh))\(page.preview.map(preview))\(offline(page))\(frame.header)\(visit.session.map { account($0, frame) })\
      <main id="main" class="\(page.width.rawValue)">
      \(offlineNotice(page))\(back(page))\(heading(page, title))
      \(page.content)
      \(footer(frame.footer))
      """
  }

  private func script(_ name: StaticString) -> HTML {
    "<script src=\"\(visit.front.assets.path(of: name.description))\" defer></script>\n"
  }

  /// A script that changes what differs in place. A reload, which throws a keyboard or a screen reader back
  /// to the top (WCAG 2.2.1 and 3.2.5), is left to browsers without scripts.
  private func refresh(_ seconds: Int) -> HTML {
    """
    <script src="\(visit.front.assets.path(of: "refresh.js"))" data-refresh="\(seconds)" defer></script>
    <noscript><meta http-equiv="refresh" content="\(seconds)"></noscript>

    """
  }

  /// The Open Graph protocol's own names; it wants whole addresses.
  private func preview(_ preview: LinkPreview) -> HTML {
    let origin = "\(visit.front.site.origin)"
    let properties = [
      ("og:title", preview.title), ("og:description", preview.summary), ("og:type", "website"),
      ("og:image", "\(origin)\(preview.image)"), ("og:image:type", "image/png"),
      ("og:image:width", "1200"), ("og:image:height", "630"), ("og:image:alt", preview.summary),
      ("og:site_name", visit.front.site.clinic.name), ("og:locale", visit.language.code),
    ]
    let tags: [HTML] = properties.map { "<meta property=\"\($0)\" content=\"\($1)\">\n" }
    return "\(tags)<meta name=\"twitter:card\" content=\"summary_large_image\">\n"
  }

  private func offline(_ page: Page) -> HTML? {
    if page.keptOffline.isEmpty { return nil }
    let kept = page.keptOffline.map {
      $0.resolved(in: member?.module.id ?? "home").description
    }
    return """
      <script src="\(visit.front.assets.path(of: "offline.js"))" \
      data-keep="\(kept.joined(separator: " "))" defer></script>

      """
  }

  /// Seen in a kept copy alone, which is as old as this answer.
  private func offlineNotice(_ page: Page) -> HTML? {
    if page.keptOffline.isEmpty { return nil }
    let formats = visit.front.formats(visit.language)
    var notice: Text = "offline.copy"
    notice.arguments = ["time": formats.dateTime(visit.now)]
    return "<div class=\"notice offline\"><p>\(text(notice))</p></div>\n"
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

  private func account(_ session: Sessions.Session, _ frame: Frame) -> HTML {
    let name = session.visitor.name
    let unread: HTML? = session.unread.isEmpty ? nil : number(session.unread)
    return """
      \(unread)\(frame.account)\(name.prefix(1))</span><span class="name">\(name)\
      \(frame.menu.0)\(token)\(frame.menu.1)
      """
  }

  private func number(_ unread: UnreadCount) -> HTML {
    """
    <span class="number"><span aria-hidden="true">\(unread.number)</span>\
    <span class="hidden-text">\(text(unread.label))</span></span>
    """
  }

  private var token: HTML {
    "<input type=\"hidden\" name=\"csrf\" value=\"\(visit.antiForgeryToken)\">"
  }

  private func footer(_ parts: (HTML, HTML, HTML)) -> HTML {
    if parts.1.isEmpty { return parts.0 }
    return "\(parts.0)\(token)\(parts.1)\(nextPath)\(parts.2)"
  }

  /// Where a change of language leads back to: this page, if it is one that can be asked for.
  private var nextPath: String {
    if visit.wire.method == "GET" { return visit.wire.target }
    guard case .found = visit.front.installation.router.match(.get, visit.path) else {
      return "/"
    }
    return visit.path
  }
}
