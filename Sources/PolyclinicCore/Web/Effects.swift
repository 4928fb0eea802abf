/// The changes that a response makes besides its page: to the session, to the browser, and to the
/// log.
///
/// A handler returns them with its response, so that a transaction that is rolled back changes
/// nothing. A session that begins and events take effect only if the response is not an error.
package struct Effects: Sendable {
  /// A change of the browser's session.
  package enum Session: Sendable, Equatable {
    /// The browser gets the token of a new session of this person.
    case begins(token: String, ID<Person>)
    /// The browser forgets its session.
    case ends
  }

  /// A cookie of the portal, which scripts cannot read.
  package struct Cookie: Sendable {
    package let name: String
    /// Nil to remove the cookie.
    package let value: String?
    package let lifetime: Seconds

    package init(_ name: String, _ value: String?, lifetime: Seconds = .days(365)) {
      self.name = name
      self.value = value
      self.lifetime = lifetime
    }
  }

  package var session: Session?
  /// The language in which the visitor reads the portal from now on.
  package var language: Language?
  package var cookies: [Cookie] = []
  /// True if the browser deletes all pages and files that it has stored of the portal.
  package var clearsSiteData = false
  package var events: [SecurityEvent] = []
  /// A secret that the form has created, which only its response shows.
  package var secret: String?
  /// The notice above the page that follows.
  package var outcome: Text?
  /// The words for a guardian's change in the access log of the person in care; nil for those of
  /// the route.
  package var change: Text?

  package init() {}

  /// Adds the changes of another value. Its single values take precedence.
  package mutating func add(_ other: Effects) {
    session = other.session ?? session
    language = other.language ?? language
    cookies += other.cookies
    clearsSiteData = clearsSiteData || other.clearsSiteData
    events += other.events
    secret = other.secret ?? secret
    outcome = other.outcome ?? outcome
    change = other.change ?? change
  }
}

/// The effects of a response, in one reference, so that passing on a response copies no lists.
final class StoredEffects: Sendable {
  let effects: Effects

  init(_ effects: Effects) { self.effects = effects }
}

extension Response {
  /// True if the browser forgets its session.
  package var endsSession: Bool { effects?.session == .ends }

  /// Returns this response, after which the browser has no session and none of the portal's data.
  package func endingSession() -> Response {
    var effects = Effects()
    (effects.session, effects.clearsSiteData) = (.ends, true)
    return with(effects)
  }

  /// Returns this response, after which the visitor reads the portal in this language.
  package func speaking(_ language: Language) -> Response {
    var effects = Effects()
    effects.language = language
    return with(effects)
  }

  /// Returns this redirect, after which the next page shows the text once, in a notice above its
  /// heading.
  ///
  /// The browser carries the text's key to that page in a cookie, not in the address. The next page
  /// looks it up in its own module's catalog, so the text has no placeholders and no personal data.
  public func saying(_ outcome: Text) -> Response {
    var effects = Effects()
    effects.outcome = outcome
    return with(effects)
  }

  /// Returns this response, which is logged as a security event.
  package func logging(_ event: SecurityEvent) -> Response {
    var effects = Effects()
    effects.events = [event]
    return with(effects)
  }
}

/// The page that follows a saved form, and the further effects of its response.
public struct Redirect: Sendable {
  package var path: Path
  package var effects: Effects

  /// Creates a redirect to a page; a relative path belongs to the module.
  public init(to path: Path) { self.init(to: path, Effects()) }

  package init(to path: Path, _ effects: Effects) {
    self.path = path
    self.effects = effects
  }

  /// Returns this redirect, after which the next page shows the text once; see
  /// ``Response/saying(_:)``.
  package func saying(_ outcome: Text) -> Redirect {
    var redirect = self
    redirect.effects.outcome = outcome
    return redirect
  }

  /// Returns this redirect after a change that the access log of a person in care tells in these
  /// words: behind the title of the module that they name, or alone without one.
  package func changing(_ words: Text) -> Redirect {
    var redirect = self
    redirect.effects.change = words
    return redirect
  }

  /// Returns this redirect, which is logged as security events.
  package func logging(_ events: SecurityEvent...) -> Redirect {
    var redirect = self
    redirect.effects.events += events
    return redirect
  }

  /// Returns this redirect with a secret that only its response shows.
  package func showing(_ secret: String) -> Redirect {
    var redirect = self
    redirect.effects.secret = secret
    return redirect
  }
}
