import PolyclinicCore

/// The page of a person's calendar feeds, with the buttons that create and revoke them.
struct CalendarFeedPage: RoutedPage {
  static let address: Address<Void> = "/appointments/calendar"
  static let creation: Address<Void> = "/appointments/calendar/new"
  static let revocation: Address<ID<Portal.SecretAddress>> = "/appointments/calendar/{id}/revoke"

  private var addresses: [Portal.SecretAddress]
  private let isDoctor: Bool
  /// The secret of the feed that this request created; nil otherwise.
  private var made: String?
  private let context: Context

  /// The maximum number of feeds, more than anyone's devices need.
  private static let most = 10

  init(_ context: Context) throws {
    self.context = context
    let person = try context.keys.person
    addresses = try context.portal.secretAddresses.all(of: person, in: context)
    isDoctor = try Doctor.of(person, in: context) != nil
  }

  /// Creates a feed and shows its address this one time, because only a hash of it is stored.
  static func create(_ context: Context) throws -> Response {
    let sent = context.request.fields
    guard let ownerRole = CalendarFeed.OwnerRole(rawValue: sent["whose"]),
      let detail = CalendarEvents.Detail(rawValue: sent["detail"])
    else { throw Refusal.malformed }
    let secrets = context.portal.secretAddresses
    let page = try context.write { context in
      var page = try CalendarFeedPage(context)
      guard ownerRole == .patient || page.isDoctor else { throw Refusal.forbidden }
      guard page.addresses.count < most else { throw Refusal.conflict("calendar.too-many") }
      page.made = try secrets.make(purpose: CalendarFeed(ownerRole, detail).purpose, in: context)
      page.addresses = try secrets.all(of: context.keys.person, in: context)
      return page.page
    }
    return .page(page)
  }

  static func revoke(_ context: Context) throws -> Path {
    let person = try context.keys.person
    guard try context.portal.secretAddresses.revoke(context.id(), of: person, in: context)
    else { throw Refusal.notFound }
    return path.query(["revoked": "1"])
  }

  var page: Page {
    Page(
      "calendar.title",
      """
      \(made == nil ? "<p class=\"lead\">\(context.text("calendar.about"))</p>" : nil)\
      \(revoked)\(shownOnce)\(list)\(made == nil ? offers : nil)\
      <p class="muted">\(context.text("calendar.limits"))</p>
      """,
      back: AppointmentList.path, assets: made == nil ? [] : [.copy])
  }

  private var revoked: HTML? {
    guard context.request.query["revoked"] == "1" else { return nil }
    return context.notice(.outcome, "calendar.revoked")
  }

  private var shownOnce: HTML? {
    made.map { secret in
      let path = CalendarFeed.address.path(secret)
      return """
        <section class="panel" role="status"><h2>\(context.text("calendar.made"))</h2>\
        <p>\(context.text("calendar.made.hint"))</p>\
        \(actions: CalendarProgram.allCases.map { button($0, following: path) })\
        <p>\(context.text("calendar.made.by-hand"))</p>\
        <p><code class="secret" id="address">\("\(context.portal.origin)\(path)")</code></p>\
        \(actions: context.copyButton("calendar.copy", of: "address", copied: "calendar.copied"))\
        </section>
        """
    }
  }

  /// Returns the link that subscribes to the feed in a calendar program. It leaves the portal only
  /// when it is pressed.
  private func button(_ program: CalendarProgram, following path: Path) -> HTML {
    context.button(
      Text("calendar.add.\(program.rawValue)"),
      to: program.subscription(to: path, of: context.portal.origin),
      style: program == .apple ? [] : .secondary)
  }

  private var list: HTML? {
    if addresses.isEmpty { return nil }
    return "\(rows: addresses, row)"
  }

  private func row(_ address: Portal.SecretAddress) -> HTML {
    let date = context.formats.date(context.formats.day(of: address.createdAt))
    let name = CalendarFeed(purpose: address.purpose).map(title) ?? ""
    let revoke = context.button(
      "calendar.revoke", posts: Self.revocation.path(address.id),
      style: [.plain, .danger, .small], of: "\(name), \(date)")
    return .row(
      "\(name)", detail: "\(context.text("calendar.since", ["date": date]))", actions: revoke)
  }

  private func title(_ feed: CalendarFeed) -> String {
    context.text(Text("calendar.\(feed.ownerRole.rawValue).\(feed.detail.rawValue)"))
  }

  private var offers: HTML {
    if addresses.count >= Self.most { return "<p>\(context.text("calendar.too-many"))</p>" }
    let ownerRole: [CalendarFeed.OwnerRole] = isDoctor ? [.patient, .doctor] : [.patient]
    let feeds = ownerRole.flatMap { [CalendarFeed($0, .full), CalendarFeed($0, .brief)] }
    return "<h2>\(context.text("calendar.new"))</h2>\(rows: feeds, offer)"
  }

  private func offer(_ feed: CalendarFeed) -> HTML {
    let hint = Text("calendar.\(feed.ownerRole.rawValue).\(feed.detail.rawValue).hint")
    let make = context.button(
      Text("calendar.make.\(feed.detail.rawValue)"), posts: Self.creation.path,
      with: ["whose": feed.ownerRole.rawValue, "detail": feed.detail.rawValue],
      style: [.secondary, .small], of: title(feed))
    return .row("\(title(feed))", detail: "\(context.text(hint))", actions: make)
  }
}

/// A calendar program that can follow a feed by a link.
private enum CalendarProgram: String, CaseIterable, Sendable {
  case apple, google, outlook

  /// Returns the link that subscribes to the feed at a path. `webcal:` opens the program of the
  /// device, which Apple's devices, Thunderbird and Outlook register; the others are pages of the
  /// services.
  func subscription(to path: Path, of origin: Portal.Origin) -> OutsideLink {
    let address = "webcal://\(origin.authority)\(path)"
    let encoded = percentEncoded(address)
    return switch self {
    case .apple: OutsideLink(description: address)
    case .google:
      OutsideLink(description: "https://calendar.google.com/calendar/r?cid=\(encoded)")
    case .outlook:
      OutsideLink(
        description: "https://outlook.live.com/calendar/0/addfromweb?url=\(encoded)")
    }
  }
}
