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
  /// Appointments, which each guardian manages. ``Work/mayReadRecords`` says whether one also reads
  /// the records beside them.
  case bookings
  /// Records: the right to read shows them, all rights change them.
  case records
  /// As ``records``, but for guardians alone: not for somebody whom the person shows records.
  case custody
  /// Nothing, for this reason, which the portal tells a guardian who asks for it.
  case nothing(Text)

  /// True if the visitor may read this part of a module; always on the visitor's own pages.
  package func includes(_ visitor: Visitor, of module: ModuleID) -> Bool {
    visitor.inCare.map { allows(.get, to: $0, of: module) } ?? true
  }

  /// True if the rights over a person suffice for a request with this method.
  package func allows(
    _ method: Request.Method, to inCare: PersonInCare, of module: ModuleID
  ) -> Bool {
    switch inCare.rights {
    case .guardian(let scope): self.scope(for: method).map { $0 <= scope } ?? false
    case .reader(let reasons): isRecords && method == .get && reasons[module] != nil
    }
  }

  private var isRecords: Bool { if case .records = self { true } else { false } }

  /// Returns the scope that a request with this method needs; nil if none suffices.
  package func scope(for method: Request.Method) -> GuardianScope? {
    switch self {
    case .bookings: .book
    case .records, .custody: method == .get ? .read : .all
    case .nothing: nil
    }
  }
}

/// The person whose pages somebody else opens: a guardian, or a reader whom the person shows the
/// records of modules.
package struct PersonInCare: Sendable {
  /// The person's number.
  package let person: ID<Person>
  /// The person's name, as pages and forms tell it.
  package let name: String
  /// The rights over the person's data.
  package let rights: Rights

  /// The rights over another person's data.
  package enum Rights: Sendable, Hashable {
    /// Those of a guardian.
    case guardian(GuardianScope)
    /// To read the records of these modules, each for the reason that the access log tells.
    case reader([ModuleID: AccessReason])
  }

  /// Creates the person whose pages somebody else opens.
  package init(person: ID<Person>, name: String, rights: Rights) {
    self.person = person
    self.name = name
    self.rights = rights
  }

  /// The reason that the access log tells for opening a page of a module.
  package func reason(in module: ModuleID) -> AccessReason {
    if case .reader(let reasons) = rights, let reason = reasons[module] { return reason }
    return .guardianship
  }

  /// True if the visitor may read the person's records.
  package var showsRecords: Bool {
    if case .guardian(let scope) = rights { scope >= .read } else { true }
  }

  /// True if the visitor may change the person's records.
  package var letsChangeRecords: Bool { rights == .guardian(.all) }

  /// The part before the path of each page that shows this person, as in `/for/12/contacts`.
  package var prefix: String { Self.prefix(person) }

  /// Returns ``prefix`` of a person.
  package static func prefix(_ person: ID<Person>) -> String { "\(root)\(person)" }

  /// Returns the person and the path below in the path of a request; nil and the whole path for a
  /// page of the visitor's own.
  package static func parts(of path: String) -> (person: ID<Person>?, path: String) {
    guard path.hasPrefix(root) else { return (nil, path) }
    let rest = path.dropFirst(root.count)
    let number = rest.prefix { $0 != "/" }
    guard let person = ID<Person>(String(number)) else { return (nil, path) }
    let below = rest.dropFirst(number.count)
    return (person, below.isEmpty ? "/" : String(below))
  }

  private static let root = "/for/"

  /// A regular expression for ``prefix``, or nothing, at the beginning of a path.
  package static let pattern = "(?:/for/[0-9]+)?"
}
