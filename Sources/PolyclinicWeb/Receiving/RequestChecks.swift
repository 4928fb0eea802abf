import PolyclinicCore
import PolyclinicServing

/// A reason to refuse a request before its handler runs.
package enum Rejection: Error, Equatable {
  /// 421: the request is for another host.
  case misdirected
  /// 400: a header, the query or the body is malformed.
  case malformed
  /// 414: see ``RequestChecks/targetLimit``.
  case targetTooLong
  /// 413
  case bodyTooLarge
  /// 415
  case unsupportedMediaType
  /// 403: a page of another site sent the form.
  case crossSite
  /// 403: the form's token does not belong to this session.
  case forged
  /// 409: the form was opened by another person than the one signed in now. `opened` is empty if
  /// the form contains no name.
  case otherPerson(opened: String, sent: String)
  /// 403: the guardian does not use the route for a person in care, for this reason; 404 without
  /// one.
  case notForGuardians(Text?)
  /// 404: the address names somebody for whom the visitor may not act, or may no longer.
  case notInCare
  /// The visitor is not signed in.
  case signedOut
  /// 403: the visitor lacks a role.
  case forbidden
}

/// Checks headers, host, origin and body of a request, which need no session.
package struct RequestChecks {
  /// The largest form without files, in bytes.
  package static let bodyLimit = 512 * 1_024
  /// The longest path with its query, in bytes.
  static let targetLimit = 8_000

  let wire: WireRequest
  let origin: Portal.Origin

  /// Checks everything that is known before routing: headers, host and length of the target.
  func checkTarget() throws(Rejection) {
    guard !wire.isMalformed else { throw .malformed }
    guard wire.host.isIdentical(to: origin.authority) else { throw .misdirected }
    guard wire.target.utf8.count <= Self.targetLimit else { throw .targetTooLong }
  }

  /// Checks the browser's headers about the origin of a change.
  func checkOrigin() throws(Rejection) {
    let check = SiteCheck(origin: "\(origin)")
    guard check.allows(method: wire.method, fetchSite: wire.fetchSite, origin: wire.origin) else {
      throw .crossSite
    }
  }

  /// Returns the fields of the query.
  func query() throws(Rejection) -> Fields {
    if wire.query.isEmpty { return Fields() }
    guard let fields = Fields(urlencoded: Array(wire.query.utf8)) else { throw .malformed }
    return fields
  }

  /// Returns the fields of a POST request, and its files if the route accepts files.
  func form(for route: Route) throws(Rejection) -> (fields: Fields, files: [String: [UInt8]]) {
    switch wire.mediaType {
    case "application/x-www-form-urlencoded":
      guard let fields = Fields(urlencoded: try body(limit: Self.bodyLimit)) else {
        throw .malformed
      }
      return (fields, [:])
    case "multipart/form-data" where route.fileLimit > 0:
      let body = try body(limit: Self.bodyLimit + route.fileLimit)
      guard let form = MultipartForm(body, contentType: wire.contentType) else {
        throw .malformed
      }
      return (form.fields, form.files)
    default: throw .unsupportedMediaType
    }
  }

  /// Returns the body of a request, if it has at most `limit` bytes.
  func body(limit: Int) throws(Rejection) -> [UInt8] {
    switch wire.readBody(limit) {
    case .tooLarge: throw .bodyTooLarge
    case .incomplete: throw .malformed
    case .bytes(let bytes):
      guard bytes.count <= limit else { throw .bodyTooLarge }
      return bytes
    }
  }
}

extension WireRequest {
  /// The target without its query.
  package var path: String {
    guard let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
    return String(target[..<end])
  }

  /// The target's query, without the question mark.
  var query: Substring {
    guard let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return "" }
    return target[target.utf8.index(after: end)...]
  }

  /// The browser or the program that sent the request.
  var client: Client { Client(address: address, userAgent: userAgent, cookies: cookies) }
}
