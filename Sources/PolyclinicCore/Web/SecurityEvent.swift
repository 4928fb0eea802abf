/// An event about authentication or permissions for the security log (ASVS 5.0, 16.3).
///
/// It contains numbers of people and fixed words, and no user input.
package struct SecurityEvent: Sendable, Equatable {
  package let kind: Kind
  /// The people whose accounts it concerns. Several people may share one e-mail.
  package var people: [ID<Person>] = []
  /// The other values of the log line, by name.
  package var details: [String: String] = [:]

  /// The message of the log line.
  package enum Kind: String, Sendable, CaseIterable {
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
    case passkeyAdded = "passkey added"
    case passkeyRenamed = "passkey renamed"
    case passkeyRemoved = "passkey removed"
    case browserTrusted = "browser trusted"
    case browserForgotten = "browser no longer trusted"
    case offlineCopyKept = "offline copy allowed"
    case offlineCopyForgotten = "offline copy forbidden"
    case linkMade = "one-time link made"
    case linkUsed = "one-time link used"
    /// Somebody may act for another person from now on, or no longer.
    case guardianBegan = "guardian began"
    /// The child or the clinic agrees that a parent reads on, or no longer.
    case guardianChanged = "guardian changed"
    case guardianEnded = "guardian ended"
    /// A person shows records to a doctor, or the access log to an administrator.
    case consentGiven = "consent given"
    /// An administrator changed an account; `action` is the audit log's.
    case accountChanged = "account changed"
    case moduleSwitched = "module switched"
    case erased
    case signInWrong = "sign-in wrong"
    case signInThrottled = "sign-in throttled"
    case signInSuspended = "sign-in to a suspended account"
    case codeWrong = "code wrong"
    /// A passkey was refused; `reason` is a fixed word.
    case passkeyRefused = "passkey refused"
    case passwordWrong = "password wrong"
    case passwordThrottled = "password throttled"
    case tokenRefused = "token refused"
    case refused
    /// The rights of an account were modified outside the portal.
    case altered = "account altered"

    /// True for events that strangers can cause with every request, so their number is unlimited.
    package var isFailure: Bool {
      switch self {
      case .signInWrong, .signInThrottled, .signInSuspended, .codeWrong, .passkeyRefused,
        .passwordWrong, .passwordThrottled, .tokenRefused, .refused, .altered:
        true
      default: false
      }
    }
  }

  package init(_ kind: Kind, of people: [ID<Person>] = [], _ details: [String: String] = [:]) {
    self.kind = kind
    self.people = people
    self.details = details
  }

  package init(_ kind: Kind, of person: ID<Person>, _ details: [String: String] = [:]) {
    self.init(kind, of: [person], details)
  }

  /// The reason of a response with 403 or 429.
  package enum Refusal: String {
    /// The visitor lacks a role, or the token lacks the scope.
    case rights
    /// The form has no anti-forgery token of this session.
    case forged
    /// A page of another site sent the request.
    case crossSite = "cross-site"
    /// The visitor has made too many requests of a kind.
    case limit
  }
}
