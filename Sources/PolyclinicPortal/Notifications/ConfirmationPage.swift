import PolyclinicCore
import PolyclinicWeb

/// The page to which a confirmation link leads. It asks for a confirmation with a button, because
/// mail scanners follow links.
struct ConfirmationPage: RoutedPage {
  static let address: Address<String> = "/notifications/confirm/{token}"
  static let access = Access.everyone

  /// True if the link is still valid.
  private let works: Bool
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    works =
      try AddressConfirmation(
        linkOf: Self.address.value(in: context), context.server, in: context) != nil
  }

  var status: Int { works ? 200 : 410 }

  var page: Page { Page("confirm.title", works ? question : expired) }

  private var question: HTML {
    let next = Path(next: context.request.query)
    return """
      <form class="question" method="post" action="\(context.request.path)">\
      \(context.hiddenFields())\
      <input type="hidden" name="next" value="\(next?.description ?? "")">\
      <p>\(context.text("confirm.question", ["clinic": context.portal.clinic.name]))</p>\
      \(actions: context.submit("confirm.yes"))</form>
      """
  }

  private var expired: HTML {
    """
    <div class="panel"><p>\(context.text("confirm.expired"))</p><p>\
    <a href="\(PreferencesPage.path)">\(context.text("confirm.again"))</a></p></div>
    """
  }

  static func confirm(_ context: Context) throws -> Response {
    let confirmation = try context.write {
      let confirmation = try AddressConfirmation(
        linkOf: address.value(in: context), context.server, in: $0)
      try confirmation?.store(in: $0)
      return confirmation
    }
    guard let confirmation else {
      let again = try ConfirmationPage(context)
      return .page(again.page, status: again.status)
    }
    let done = ConfirmedPage.path
    let next = Path(next: context.request.fields)
    return .redirect(to: next.map { done.query(["next": $0.description]) } ?? done)
      .logging(SecurityEvent(.linkUsed, of: confirmation.person, ["purpose": "e-mail"]))
  }
}

/// The page after a confirmation. The visitor need not be signed in. After a registration it leads
/// on to the page for which the visitor has registered.
struct ConfirmedPage: RoutedPage {
  static let address: Address<Void> = "/notifications/confirmed"
  static let access = Access.everyone

  private let context: Context

  init(_ context: Context) { self.context = context }

  var page: Page {
    let next = Path(next: context.request.query).map { context.button("confirmed.next", to: $0) }
    return Page(
      "confirmed.title",
      """
      <div class="panel"><p>\(context.text("confirmed.text"))</p><p>\
      <a href="\(PreferencesPage.path)">\(context.text("inbox.preferences"))</a></p></div>\
      \(actions: next)
      """)
  }
}

extension Path {
  /// The page to open afterwards; nil if none was sent, or if it is not a local path.
  fileprivate init?(next sent: Fields) { self.init(local: sent["next"]) }
}
