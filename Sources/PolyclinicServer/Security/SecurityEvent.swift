import PolyclinicCore

/// Something about signing in or about rights that the log keeps (ASVS 5.0, 16.3).
///
/// It holds numbers of people and words of the portal, and nothing that somebody typed.
struct SecurityEvent: Equatable {
  let kind: Kind
  /// The people whose accounts it concerns; several where an e-mail is that of several.
  var people: [ID<Person>] = []
  /// The rest of the line, by name.
  var details: [String: String] = [:]

  /// The message of the line.
  enum Kind: String, CaseIterable {
    case signedIn = "signed in"
    case signedOut = "signed out"
    case registered
    case passwordConfirmed = "password confirmed"
    case passwordChanged = "password changed"
    case loginChanged = "login changed"
    case emailChanged = "e-mail changed"
    case sessionEnded = "session ended"
    case otherSessionsEnded = "other sessions ended"
    case tokenMade = "token made"
    case tokenRevoked = "token revoked"
    case secondFactorSet = "second factor set"
    case secondFactorRemoved = "second factor removed"
    case recoveryCodesMade = "recovery codes made"
    case recoveryCodeUsed = "recovery code used"
    case browserForgotten = "browser no longer trusted"
    case linkMade = "one-time link made"
    case linkUsed = "one-time link used"
    /// By an administrator; `action` is that of the audit.
    case accountChanged = "account changed"
    case moduleSwitched = "module switched"
    case erased
    case signInWrong = "sign-in wrong"
    case signInThrottled = "sign-in throttled"
    case signInSuspended = "sign-in to a suspended account"
    case codeWrong = "code wrong"
    case passwordWrong = "password wrong"
    case passwordThrottled = "password throttled"
    case tokenRefused = "token refused"
    case refused
    /// Something else than the portal has written what an account's rights rest on.
    case altered = "account altered"

    /// Strangers can bring about as many of these as they send requests.
    var isFailure: Bool {
      switch self {
      case .signInWrong, .signInThrottled, .signInSuspended, .codeWrong, .passwordWrong,
        .passwordThrottled, .tokenRefused, .refused, .altered:
        true
      default: false
      }
    }
  }

  init(_ kind: Kind, of people: [ID<Person>] = [], _ details: [String: String] = [:]) {
    self.kind = kind
    self.people = people
    self.details = details
  }

  init(_ kind: Kind, of person: ID<Person>, _ details: [String: String] = [:]) {
    self.init(kind, of: [person], details)
  }

  /// The change that an audit entry tells of.
  init(_ action: AuditEntry.Action, of person: ID<Person>?, _ role: Role?) {
    var details = ["action": action.rawValue]
    details["role"] = role?.rawValue
    let isLink = [.passwordLink, .secondFactorLink, .invite].contains(action)
    self.init(isLink ? .linkMade : .accountChanged, of: [person].compactMap(\.self), details)
  }

  /// The answer to a request that was refused; nil for any other answer.
  init?(status: Int, route: String?, of visit: Visit) {
    switch status {
    case 401 where visit.wire.authorization != nil: self.init(.tokenRefused)
    case 403:
      self.init(
        .refused, of: [visit.person].compactMap(\.self),
        ["reason": (visit.refusal ?? .rights).rawValue])
    default: return nil
    }
    details["route"] = route
  }

  /// The reason of an answer with 403.
  enum Refusal: String {
    /// A role is missing, or the token is not for this.
    case rights
    /// The form carries no anti-forgery token of this session.
    case forged
    /// A page of another site sent it.
    case crossSite = "cross-site"
  }
}
