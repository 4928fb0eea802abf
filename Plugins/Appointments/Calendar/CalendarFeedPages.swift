import PolyclinicCore
import PolyclinicFormats

/// The feed itself, and the pages on which a person creates and revokes feeds.
enum CalendarFeedPages {
  /// Returns a feed to any client that knows its address. The request has no visitor, and uses only
  /// the keys of the feed's owner.
  static func download(_ context: Context) throws -> Response {
    let secret = context.request.parameters["token"] ?? ""
    let opened = try context.portal.secretAddresses.open(secret, in: context)
    guard let opened, let feed = CalendarFeed(purpose: opened.purpose) else {
      throw Refusal.notFound
    }
    let file = try feed.file(context.portal, in: opened.work)
    return Response(200, .bytes(file.bytes(at: context.now), type: CalendarFile.mediaType))
  }

  static func show(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let page = CalendarFeedPage(
      addresses: try context.portal.secretAddresses.all(of: person, in: context),
      isDoctor: try Doctor.of(person, in: context) != nil, made: nil, context: context)
    return .page(page.page)
  }

  /// Creates a feed and shows its address this one time, because only a hash of it is stored.
  static func create(_ context: Context) throws -> Response {
    let keys = try context.keys
    let sent = context.request.fields
    let isDoctor = try Doctor.of(keys.person, in: context) != nil
    guard let ownerRole = CalendarFeed.OwnerRole(rawValue: sent["whose"]),
      let detail = CalendarEvents.Detail(rawValue: sent["detail"])
    else { throw Refusal.malformed }
    guard ownerRole == .patient || isDoctor else { throw Refusal.forbidden }
    let secrets = context.portal.secretAddresses
    let page = try context.write { context in
      guard try secrets.all(of: keys.person, in: context).count < CalendarFeedPage.most else {
        throw Refusal.conflict("calendar.too-many")
      }
      let secret = try secrets.make(
        purpose: CalendarFeed(ownerRole, detail).purpose, in: context
      )
      return CalendarFeedPage(
        addresses: try secrets.all(of: keys.person, in: context), isDoctor: isDoctor,
        made: secret, context: context)
    }
    return .page(page.page)
  }

  static func revoke(_ context: Context) throws -> Path {
    let person = try context.keys.person
    guard try context.portal.secretAddresses.revoke(context.id(), of: person, in: context)
    else { throw Refusal.notFound }
    return Path("calendar").query(["revoked": "1"])
  }
}
