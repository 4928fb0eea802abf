import PolyclinicCore

/// Lets a request through to its handler, or says why not: host, access, body, origin, anti-forgery.
struct Gate {
  /// The most that a form without files may weigh, in bytes.
  static let bodyLimit = 512 * 1_024
  /// The most that a path with its query may weigh, in bytes.
  static let targetLimit = 8_000

  let visit: Visit

  /// Why a request goes no further.
  enum Rejection: Error, Equatable {
    /// 421: for another host.
    case misdirected
    /// 400
    case malformed
    /// 414
    case targetTooLong
    /// 413
    case bodyTooLarge
    /// 415
    case unsupportedMediaType
    /// 403: sent by a page of another site.
    case crossSite
    /// 403: the form's token was not given to this session.
    case forged
    /// 409: the form was opened by another person than is signed in now; the first name is empty where
    /// the form does not tell it.
    case otherPerson(opened: String, sent: String)
    /// Nobody is signed in.
    case signedOut
    /// 403: a role is missing.
    case forbidden
  }

  /// What can be refused before it is known what was asked for.
  func checkTarget() throws(Rejection) {
    guard !visit.wire.isMalformed else { throw .malformed }
    guard visit.wire.host.isIdentical(to: visit.front.site.origin.authority) else {
      throw .misdirected
    }
    guard visit.wire.target.utf8.count <= Self.targetLimit else { throw .targetTooLong }
  }

  /// Lets somebody through to a module with these settings.
  func checkAccess(_ access: Access, _ settings: Settings) throws(Rejection) {
    if access.isOpen(under: settings) { return }
    guard let session = visit.session else { throw .signedOut }
    guard access.includes(session.visitor) else { throw .forbidden }
  }

  /// The pairs of the query.
  func query() throws(Rejection) -> Fields {
    if visit.wire.query.isEmpty { return Fields() }
    guard let fields = Fields(urlencoded: Array(visit.wire.query.utf8)) else { throw .malformed }
    return fields
  }

  /// What was sent with a POST, and the files that came along to a route that takes some.
  func form(for route: Route) throws(Rejection) -> (fields: Fields, files: [String: [UInt8]]) {
    switch visit.wire.mediaType {
    case "application/x-www-form-urlencoded":
      guard let fields = Fields(urlencoded: try body(limit: Self.bodyLimit)) else {
        throw .malformed
      }
      return (fields, [:])
    case "multipart/form-data" where route.fileLimit > 0:
      let body = try body(limit: Self.bodyLimit + route.fileLimit)
      guard let form = MultipartForm(body, contentType: visit.wire.contentType) else {
        throw .malformed
      }
      return (form.fields, form.files)
    default: throw .unsupportedMediaType
    }
  }

  /// The body of a request, of no more bytes than that.
  func body(limit: Int) throws(Rejection) -> [UInt8] {
    switch visit.wire.readBody(limit) {
    case .tooLarge: throw .bodyTooLarge
    case .incomplete: throw .malformed
    case .bytes(let bytes):
      guard bytes.count <= limit else { throw .bodyTooLarge }
      return bytes
    }
  }

  /// What browsers say of where a change comes from.
  func checkOrigin() throws(Rejection) {
    let check = SiteCheck(origin: "\(visit.front.site.origin)")
    guard
      check.allows(
        method: visit.wire.method, fetchSite: visit.wire.fetchSite, origin: visit.wire.origin)
    else {
      visit.refusal = .crossSite
      throw .crossSite
    }
  }

  /// A name that is shown as it was sent: none where it is longer than any, or turns what stands behind it.
  private func shownName(in fields: Fields) -> String {
    let name = fields[Context.personName]
    let isPlain = name.unicodeScalars.allSatisfy {
      ![.control, .format].contains($0.properties.generalCategory)
    }
    return isPlain && name.unicodeScalars.count <= 300 ? name : ""
  }

  /// Whether the form was given to this session, and is about the person of this session.
  func checkForm(_ fields: Fields) throws(Rejection) {
    if let session = visit.session, fields.contains("person"),
      !fields["person"].isIdentical(to: session.person.description)
    {
      throw .otherPerson(opened: shownName(in: fields), sent: session.visitor.name)
    }
    guard visit.accepts(fields["csrf"]) else {
      visit.refusal = .forged
      throw .forged
    }
  }
}
