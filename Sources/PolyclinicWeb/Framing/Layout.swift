import PolyclinicCore
import PolyclinicServing

/// Renders a page inside its ``Frame``.
struct Layout {
  let admission: AdmittedRequest
  /// The module of the page.
  let member: InstalledModule?
  let frames: Frames

  /// Returns the response as it is sent to the web server.
  func framed(_ response: Response) -> WireResponse {
    var wire = WireResponse(status: response.status)
    wire.headers.reserveCapacity(response.headers.count + 3)
    for header in response.headers {
      let isPath = header.name.description == "Location"
      wire.headers.append((header.name, isPath ? below(header.value) : header.value))
    }
    switch response.body {
    case .none: break
    case .bytes(let bytes, let type):
      wire.headers.append(("Content-Type", type.description))
      wire.content = .bytes(bytes)
    case .stream(let type, let write):
      wire.headers.append(("Content-Type", type.description))
      // nginx sends only the head of an answer to HEAD, so the body is not generated.
      if admission.wire.method != "HEAD" { wire.content = .stream(write) }
    case .page(let page):
      wire.headers.append(("Content-Type", "text/html; charset=utf-8"))
      let outcome = response.status == 200 ? outcome(page) : nil
      wire.content = .page(
        html(page, outcome, for: response.endsSession ? nil : admission.session))
      if outcome != nil {
        wire.headers.append(("Set-Cookie", Cookies.removing(Cookies.outcome)))
      }
      // A page with forms needs the visitor's cookie.
      if let token = admission.newBrowserToken {
        wire.headers.append(("Set-Cookie", Cookies.set(AntiForgery.visitorCookie, token.text)))
      }
    }
    if !response.headers.contains(where: { $0.name.description == "Cache-Control" }) {
      wire.headers.append(("Cache-Control", "no-store"))
    }
    if let effects = response.effects {
      if effects.clearsSiteData {
        wire.headers.append(("Clear-Site-Data", "\"cache\", \"storage\""))
      }
      wire.headers += cookies(of: effects, status: response.status).map { ("Set-Cookie", $0) }
    }
    return wire
  }

  /// Returns the `Set-Cookie` values of a response with effects. An error begins no session,
  /// because its transaction was rolled back.
  private func cookies(of effects: Effects, status: Int) -> [String] {
    var cookies: [String] = []
    if let language = effects.language {
      cookies.append(Cookies.set(Cookies.language, language.code, age: .days(365)))
    }
    cookies += effects.cookies.map { cookie in
      cookie.value.map { Cookies.set(cookie.name, $0, age: cookie.lifetime) }
        ?? Cookies.removing(cookie.name)
    }
    if let outcome = effects.outcome, status < 400 {
      cookies.append(Cookies.set(Cookies.outcome, outcome.key, age: Cookies.outcomeAge))
    }
    switch effects.session {
    case .begins(let token, _) where status < 400:
      cookies.append(Cookies.set(Cookies.session, token))
      cookies.append(Cookies.removing(AntiForgery.visitorCookie))
    case .ends: cookies.append(Cookies.removing(Cookies.session))
    case .begins, nil: break
    }
    return cookies
  }

  private var server: ServerContext { admission.server }

  private var words: Phrasebook {
    member?.phrasebook ?? server.installation.phrasebook
  }

  private func text(_ text: Text) -> String { words.string(text, in: admission.language) }

  private func html(
    _ page: Page, _ outcome: HTML?, for session: Sessions.Session?
  ) -> HTML {
    let visitor = page.width == .copy || session == nil ? nil : admission.visitor
    let area = page.area.flatMap { area in
      member.map { area.resolved(in: $0.module.id).description }
    }
    let words = FrameWords(
      server: server, member: member, language: admission.language,
      link: member?.link(nearestTo: area ?? admission.path),
      textSize: TextSize(of: admission.client))
    let frame = frames.frame(words, for: visitor)
    var title = text(page.title)
    if let inCare { title = "\(inCare.name) · \(title)" }
    if page.width == .screen || page.width == .copy {
      return """
        \(frame.beginning)<title>\(title)\(frame.head)\(each: page.assets, link)\
        \(page.refresh.map(refresh))\(page.reload.map(reload))\(page.width == .screen ? "</head>\n<body>" : frame.copyHeader)\
        <main id="main" class="\(page.width.rawValue)\(member?.module.kind?.style)">\(heading(page, title))
        \(below(page.content))
        </main>
        </body>
        </html>

        """
    }
    return """
      \(room: frame.byteCount + page.content.byteCount + Self.usualRest)\(frame.beginning)<title>\(title)\
      \(frame.head)\(each: page.assets + peopleAssets, link)\(page.refresh.map(refresh))\(page.reload.map(reload))\(page.preview.map(preview))\
      \(offline(page))\(header(of: frame))\(session.flatMap(number))\
      \(frame.account)\(session.map(name))\(frame.menu.0)\(session.map { _ in token })\(frame.menu.1)\(session.flatMap(people))\
      <main id="main" class="\(page.width.rawValue)\(member?.module.kind?.style)">
      \(offlineNotice(page))\(back(page).map(below))\(outcome)\(below(heading(page, text(page.title))))
      \(below(page.content))
      \(frame.footer.0)\(token)\(frame.footer.1)\(nextPath)\(frame.footer.2)
      """
  }

  /// The bytes of a page beside its content and its frame that most pages do not exceed: title,
  /// scripts, notice, name and tokens.
  private static let usualRest = 2_048

  private func link(to asset: Page.Asset) -> HTML {
    let own: Path? = asset.content == nil ? server.assets.path(of: asset.name) : nil
    // An undeclared file has no path, so that its request fails the module's contract.
    let path = own ?? member?.assetPaths[asset.name] ?? "/assets/modules/\(asset.name)"
    return asset.isStyle
      ? "<link rel=\"stylesheet\" href=\"\(path)\">\n" : "<script src=\"\(path)\" defer></script>\n"
  }

  /// Returns the script that refreshes a page, and replaces only the changed parts.
  private func refresh(_ seconds: Int) -> HTML {
    """
    <script src="\(server.assets.path(of: "scripts/refresh.js"))" data-refresh="\(seconds)" defer></script>

    """
  }

  /// Returns the markup by which a browser without scripts loads the page again.
  private func reload(_ seconds: Int) -> HTML {
    "<noscript><meta http-equiv=\"refresh\" content=\"\(seconds)\"></noscript>\n"
  }

  /// Returns the tags of the Open Graph protocol, in its own names. The protocol requires absolute
  /// addresses.
  private func preview(_ preview: Page.LinkPreview) -> HTML {
    let origin = "\(server.site.origin)"
    let properties = [
      ("og:title", preview.title), ("og:description", preview.summary), ("og:type", "website"),
      ("og:image", "\(origin)\(preview.image)"), ("og:image:type", "image/png"),
      ("og:image:width", "1200"), ("og:image:height", "630"), ("og:image:alt", preview.summary),
      ("og:site_name", server.site.clinic.name), ("og:locale", admission.language.code),
    ]
    let tags: [HTML] = properties.map { "<meta property=\"\($0)\" content=\"\($1)\">\n" }
    return "\(tags)<meta name=\"twitter:card\" content=\"summary_large_image\">\n"
  }

  /// Returns the script that keeps pages for reading without a network. Pages of a person in care
  /// are never kept, because the device is not theirs.
  private func offline(_ page: Page) -> HTML? {
    if inCare != nil { return nil }
    let keepsOwn =
      admission.client.cookie(RememberedBrowsers.offline.cookie) != nil
    if page.keptOffline.isEmpty, !keepsOwn { return nil }
    let kept = page.keptOffline.map {
      $0.resolved(in: member?.module.id ?? "home").description
    }
    return """
      <script src="\(server.assets.path(of: "scripts/offline.js"))" \
      data-keep="\(kept.joined(separator: " "))"\(attribute: " data-own=\"yes\"", if: keepsOwn) defer></script>

      """
  }

  /// Returns a notice with the page's time, for an offline copy of a page. The copy shows it only
  /// without a network.
  private func offlineNotice(_ page: Page) -> HTML? {
    guard admission.wire.isOfflineCopy else { return nil }
    // The page that stands for all others without a network is no copy of them.
    if page.keptOffline.allSatisfy({ $0 == "/offline" }) { return nil }
    let formats = server.formats(admission.language)
    var notice: Text = "offline.copy"
    notice.arguments = ["time": formats.dateTime(admission.now)]
    return "\(HTML.notice(.remark, "<p>\(text(notice))</p>", style: " offline"))\n"
  }

  /// Returns the notice about the change that led to this page; nil if there was none, or if the
  /// page's module has no such text.
  private func outcome(_ page: Page) -> HTML? {
    guard page.width != .screen, page.width != .copy,
      let key = admission.client.cookie(Cookies.outcome),
      words.contains(key, in: admission.language)
    else { return nil }
    return "\(HTML.notice(.outcome, "<p>\(text(Text(key)))</p>"))\n"
  }

  private func back(_ page: Page) -> HTML? {
    page.back.map {
      let path = $0.resolved(in: member?.module.id ?? "home")
      return "<a class=\"back\" href=\"\(path)\">\(backLabel(of: page, to: path))</a>\n"
    }
  }

  /// Returns the page's own words, or else the name of the place that its link leads back to. The
  /// arrow before the name is drawn, so that screen readers need a word.
  private func backLabel(of page: Page, to path: Path) -> HTML {
    if let label = page.backLabel { return "\(text(label))" }
    guard let title = server.installation.title(of: path, in: admission.language) else {
      return "\(text("frame.back"))"
    }
    return "<span class=\"hidden-text\">\(text("frame.back")): </span>\(title)"
  }

  private func heading(_ page: Page, _ title: String) -> HTML {
    if page.hasOwnHeading { return HTML() }
    guard let actions = page.actions else { return "<h1>\(title)</h1>" }
    return "<div class=\"title\"><h1>\(title)</h1>\(actions)</div>"
  }

  private func name(of session: Sessions.Session) -> HTML {
    let name = session.visitor.name
    return "\(name.prefix(1))</span><span class=\"name\">\(name)"
  }

  private func number(of session: Sessions.Session) -> HTML? {
    let unread = session.unread
    if unread.isEmpty { return nil }
    return """
      <span class="number"><span aria-hidden="true">\(unread.number)</span>\
      <span class="hidden-text">\(text(unread.label))</span></span>
      """
  }

  private var inCare: PersonInCare? { admission.inCare?.inCare }

  private func header(of frame: Frame) -> HTML {
    inCare.map { frame.header.inserting(Path(checked: $0.prefix), at: frame.headerPaths) }
      ?? frame.header
  }

  /// Returns the markup whose links lead to pages of the person in care; unchanged on the visitor's
  /// own pages.
  private func below(_ markup: HTML) -> HTML {
    inCare.map { server.installation.markup(markup, about: $0) } ?? markup
  }

  /// Returns the address of a redirect below that of the person in care.
  private func below(_ address: String) -> String {
    let path = String(address.prefix { $0 != "?" && $0 != "#" })
    guard let inCare, server.installation.isPage(path, of: inCare) else { return address }
    return inCare.prefix + address
  }

  /// Returns the switch between the visitor's own pages and those of the people in care; nil for
  /// somebody who opens the pages of nobody else.
  private func people(_ session: Sessions.Session) -> HTML? {
    if !hasSwitch { return nil }
    var shown = admission.peopleInCare.map(\.inCare)
    let isReader = inCare.map { person in !shown.contains { $0.person == person.person } } ?? false
    if let inCare, isReader { shown.append(inCare) }
    let hues = admission.hues
    let others: [HTML] = shown.map { person in
      let isCurrent = person.person == inCare?.person
      // The records that a reader is shown have no first page.
      let path = isReader && isCurrent ? admission.wire.path : "\(person.prefix)/"
      return place(Path(checked: path), person.name, hues[person.person], isCurrent: isCurrent)
    }
    let note: HTML? = inCare.map {
      let key = isReader ? "frame.shown" : "frame.in-care"
      return """
        <p class="in-care"><strong>\(text(Text(key, ["name": $0.name])))</strong></p>
        """
    }
    let hue = inCare.flatMap { hues[$0.person] }.map { " hue-\($0)" as HTML }
    return """
      <nav class="people\(hue)" aria-label="\(text("frame.people"))"><div class="wrap"><ul>\
      \(place("/", session.visitor.name, hues[session.person], isCurrent: inCare == nil))\(others)</ul>\(note)</div></nav>

      """
  }

  private var hasSwitch: Bool { inCare != nil || !admission.peopleInCare.isEmpty }

  /// The style of the switch, for the few pages that have it.
  private var peopleAssets: [Page.Asset] {
    hasSwitch ? [Page.Asset(www: "styles/people.css")] : []
  }

  private func place(_ path: Path, _ name: String, _ hue: Int?, isCurrent: Bool) -> HTML {
    "<li>\(HTML.personLink(to: path, named: name, hue: hue, isCurrent: isCurrent))</li>"
  }

  private var token: HTML {
    "<input type=\"hidden\" name=\"csrf\" value=\"\(admission.antiForgeryToken)\">"
  }

  /// The path to return to after a change of language: this page if it can be requested with GET,
  /// otherwise the home page.
  private var nextPath: String {
    if admission.wire.method == "GET" { return admission.wire.target }
    guard case .found = server.installation.router.match(.get, admission.path) else {
      return "/"
    }
    return admission.wire.path
  }
}
