/// The rights of a guardian to act for a person in care, from the least to the most.
///
/// A guardian is a parent, or an adult whom another adult has given access.
package enum GuardianScope: String, Sendable, CaseIterable, Comparable {
  /// The guardian books, moves and cancels appointments.
  case book
  /// The guardian books, and reads all records.
  case read
  /// The guardian books, and reads and changes all records.
  case all

  /// Orders scopes by what they allow.
  package static func < (one: GuardianScope, other: GuardianScope) -> Bool {
    one.rank < other.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The part of a module, or of one of its routes, that guardians use for a person in care.
public enum GuardianAccess: Sendable {
  /// Appointments, which each guardian manages.
  case bookings
  /// Records: the right to read shows them, all rights change them.
  case records
  /// Nothing, for this reason, which the portal tells a guardian who asks for it.
  case nothing(Text)

  /// True if the visitor may read this part; always, if the visitor is no guardian.
  package func includes(_ visitor: Visitor) -> Bool {
    guard let inCare = visitor.inCare else { return true }
    return scope(for: .get).map { $0 <= inCare.scope } ?? false
  }

  /// Returns the scope that a request with this method needs; nil if none suffices.
  package func scope(for method: Request.Method) -> GuardianScope? {
    switch self {
    case .bookings: .book
    case .records: method == .get ? .read : .all
    case .nothing: nil
    }
  }
}

/// The person in care for whom a guardian acts in a request.
package struct PersonInCare: Sendable {
  /// The person's number.
  package let person: ID<Person>
  /// The person's name, as pages and forms tell it.
  package let name: String
  /// The guardian's rights.
  package let scope: GuardianScope

  /// Creates the person for whom a guardian acts.
  package init(person: ID<Person>, name: String, scope: GuardianScope) {
    self.person = person
    self.name = name
    self.scope = scope
  }

  /// The part before the path of each page that shows this person, as in `/for/12/contacts`.
  package var prefix: String { Self.prefix(person) }

  /// Returns ``prefix`` of a person.
  package static func prefix(_ person: ID<Person>) -> String { "/for/\(person)" }
}
