import Logging
import PolyclinicCore

/// The home page: the cards of all modules when signed in, else what this portal is.
struct DashboardModule: Module {
  let id: ModuleID = "home"
  var title: Text { "dashboard.title" }
  var catalog: Catalog { .dashboard }
  var migrations: [Migration] { [StartPage.migration] }
  var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.start-page", until: "privacy.until-erased"), export: StartPage.export)
  }
  var links: [Link] { [Link("dashboard.title", to: "/")] }

  var routes: [Route] {
    [
      .get("/", access: .everyone, show),
      .get("/start", access: .everyone, openStartPage),
      .form(
        "/account/start-page", StartPage.form, title: "start-page.title", cancel: "/account",
        load: loadStartPage, save: saveStartPage),
      .get("/useful-contacts", access: .everyone, showUsefulContacts),
      .get("/robots.txt", access: .everyone, robots),
      .get("/manifest.webmanifest", access: .everyone, manifest),
      .get("/service-worker.js", access: .everyone, serviceWorker),
      .get("/offline", access: .everyone, offline),
      .get("/.well-known/change-password", access: .everyone) { _ in
        .redirect(to: "/account/password")
      },
      .get("/.well-known/security.txt", access: .everyone, securityText),
    ]
  }

  private func show(_ context: Context) throws -> Response {
    guard let visitor = context.visitor else { return try welcome(context) }
    let front = try context.front()
    let cards = front.installation.cards(for: visitor).compactMap { card($0, $1, context) }
    let home = Home(visitor: visitor, members: front.installation.enabled, context: context)
    return .page(
      Page(
        Text("dashboard.greeting", ["name": visitor.name]), home.content(cards),
        actions: home.actions, width: .wide))
  }

  /// One that throws says that it is not available, and takes nothing else along.
  private func card(_ card: Card, _ member: Installation.Member, _ context: Context) -> HTML? {
    let title = member.phrasebook.string(card.title, in: context.language)
    let content: HTML?
    do {
      content = try card.content(context.within(member))
    } catch {
      Logger(label: "card").error(
        "a card failed",
        metadata: ["module": "\(member.module.id)", "type": "\(type(of: error))"])
      content = "<p class=\"muted\">\(context.text("error.not-available"))</p>"
    }
    return content.map { "<section class=\"card\"><h2>\(title)</h2>\($0)</section>" }
  }

  private func welcome(_ context: Context) throws -> Response {
    let points: [HTML] = [("private", Icon.lock), ("together", .people), ("free", .heart)].map {
      """
      <li>\(context.icon($1))<h2>\(context.text(Text("welcome.\($0).title")))</h2>\
      <p>\(context.text(Text("welcome.\($0).text")))</p></li>
      """
    }
    return .page(
      Page(
        "welcome.title",
        """
        <section class="hero"><div><h1>\(context.text("welcome.title"))</h1>\
        <p class="lead">\(context.text("welcome.lead", ["clinic": context.portal.clinic.name]))</p>\
        <p class="actions"><a class="button" href="/register">\(context.text("register.link"))</a>\
        <a class="button secondary" href="/login">\(context.text("frame.sign-in"))</a></p>\
        </div></section><ul class="points">\(points)</ul>\
        \(OpenParts(members: try context.front().installation.enabled, context: context).html)
        """,
        width: .wide, hasOwnHeading: true))
  }
}

extension Context {
  /// This request as another module sees it.
  func within(_ member: Installation.Member) -> Context {
    visit?.context(for: member, request) ?? self
  }
}
