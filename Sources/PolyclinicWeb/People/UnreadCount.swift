import PolyclinicCore

/// The number of unread notices, for the header of each page.
package struct UnreadCount {
  /// The number at which counting stops, because nobody needs an exact larger number.
  package static let limit = 100

  /// An SQL condition for the notices that are unread and not out of date, and of which none is about
  /// somebody for whom the reader no longer acts.
  package static func isUnread(at now: Instant) -> SQL {
    """
    read_at IS NULL AND (expires_at IS NULL OR expires_at > \(now)) AND \(isForReader(at: now))
    """
  }

  /// Returns an SQL condition for the notices that are about their reader, or about somebody for whom
  /// the reader acts, as ``Guardianship/lets(_:see:at:)`` says. It is written out, because each
  /// request of somebody who is signed in composes it.
  package static func isForReader(at now: Instant) -> SQL {
    """
    (notifications.about = notifications.person OR EXISTS (SELECT 1 FROM guardianships AS held
      WHERE held.person = notifications.about AND held.guardian = notifications.person
        AND held.state = 'active' AND (held.ends_at IS NULL OR held.ends_at > \(now))))
    """
  }

  /// Returns an SQL expression that counts the unread notices of the enclosing statement's
  /// `id_person`. A session is found with it, so that the header of a page costs no further
  /// statement.
  package static func ofPerson(at now: Instant) -> SQL {
    """
    (SELECT count(*) FROM (SELECT 1 FROM notifications
      WHERE notifications.person = id_person AND \(isUnread(at: now)) LIMIT \(limit)) AS unread)
    """
  }

  private let count: Int

  package init(_ count: Int) { self.count = count }

  package var isEmpty: Bool { count == 0 }

  /// The number as text: `7`, or `99+` if counting stopped at the limit.
  package var number: String {
    count < Self.limit ? String(count) : "\(Self.limit - 1)+"
  }

  /// The number in words.
  package var label: Text {
    count < Self.limit ? Text("frame.unread", count: count) : "frame.unread-many"
  }
}
