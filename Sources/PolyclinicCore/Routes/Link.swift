/// An entry of the navigation.
public struct Link: Sendable {
  /// The text of the entry.
  public let title: Text
  /// The path of the page, relative to the module.
  public let path: Path
  /// The path that contains all pages on which the entry is marked as current; relative to the
  /// module.
  public let area: Path
  /// The visitors who see the entry. The page behind it checks its own access.
  public let access: Access
  /// The icon beside the entry on the welcome page.
  public let icon: Icon
  /// A description of the page, shown below the entry on the welcome page.
  public let about: Text?
  /// The most frequent tasks of the page, shown as buttons on the home page. Those that are open to
  /// everyone are on the welcome page instead.
  public let actions: [Link]
  /// The role whose users arrive here after sign-in, if any. Each role has at most one such page.
  public let landing: Role?
  /// True for an entry after all others, in the menu of a phone's bar: a page that people open less
  /// often.
  public let isLast: Bool

  /// Creates an entry that leads to `path`, and is marked as current on all pages below `area`; by
  /// default that is `path`. Both are relative to the module.
  public init(
    _ title: Text, to path: Path, area: Path? = nil, access: Access = .signedIn,
    icon: Icon = .document, about: Text? = nil, actions: [Link] = [], landing: Role? = nil,
    isLast: Bool = false
  ) {
    self.title = title
    self.path = path
    self.area = area ?? path
    self.access = access
    self.icon = icon
    self.about = about
    self.actions = actions
    self.landing = landing
    self.isLast = isLast
  }
}

/// A section of the home page. If its content throws, the card shows "not available", and the other
/// cards are not affected.
public struct Card: Sendable {
  /// The heading of the card.
  public let title: Text
  /// The kind of data; nil for ``Module/kind``. The card has its colour.
  public let kind: Icon.Kind?
  /// The icon beside the heading; nil for that of the kind of data.
  public let icon: Icon?
  /// The visitors who see the card. ``Access/everyone`` shows it on the welcome page too, to
  /// visitors who have not signed in.
  public let access: Access
  /// The role whose users see the card before all others, if any. Users with several roles see the
  /// cards of the role with the most responsibility first.
  public let first: Role?
  /// The place among the cards of all modules, unless a person has arranged them.
  public let rank: Rank
  /// The page with all of what the card summarizes, to which its heading leads; nil if it has none.
  public let page: Path?
  /// True for a card that only offers something of the portal itself, below all others.
  package private(set) var isLast = false
  /// Returns the heading of what the card shows; nil for the title.
  package private(set) var heading: (@Sendable (Context) throws -> Text)?
  /// The sealed data that the content needs. The home page reads that of all cards in one statement
  /// before it calls them.
  public let reads: [Sealed.Head]
  /// Returns the content of the card; nil if there is nothing to show today. Appends a row for each
  /// thing that is due today, such as a visit.
  public let content: @Sendable (Context, inout [HTML]) throws -> HTML?

  /// The kinds of cards in the order in which the home page shows them.
  public enum Rank: Int, Sendable {
    /// An appointment, or a place on a waiting list.
    case next
    /// A vaccination or a check-up that is due soon.
    case prevention
    /// Measured values.
    case measurements
    /// The clinic or the doctor of a person.
    case clinic
    /// Papers that a person shows to others.
    case documents
    /// All others; the default.
    case others
  }

  /// Creates a card. `content` is called each time the home page is shown to a visitor with access.
  ///
  /// Content that only invites a patient to begin with something should be nil for
  /// ``Visitor/isStaff``.
  public init(
    _ title: Text, kind: Icon.Kind? = nil, icon: Icon? = nil, access: Access = .signedIn,
    first: Role? = nil, rank: Rank = .others, page: Path? = nil, reads: [Sealed.Head] = [],
    _ content: @escaping @Sendable (Context) throws -> HTML?
  ) {
    self.init(
      title, kind: kind, icon: icon, access: access, first: first, rank: rank, page: page,
      reads: reads
    ) { context, _ in try content(context) }
  }

  /// Creates a card that also says what is due today. The home page shows these rows of all cards
  /// above the first card.
  ///
  /// ```swift
  /// Card("doses.title") { context, due in
  ///   let dose = try Dose.next(in: context)
  ///   if dose.day == context.today {
  ///     due.append(.row(to: dose.path, "\(dose.name)", lead: context.icon(.pill)))
  ///   }
  ///   return dose.html
  /// }
  /// ```
  public init(
    _ title: Text, kind: Icon.Kind? = nil, icon: Icon? = nil, access: Access = .signedIn,
    first: Role? = nil, rank: Rank = .others, page: Path? = nil, reads: [Sealed.Head] = [],
    _ content: @escaping @Sendable (Context, inout [HTML]) throws -> HTML?
  ) {
    self.title = title
    self.kind = kind
    self.icon = icon
    self.access = access
    self.first = first
    self.rank = rank
    self.page = page
    self.reads = reads
    self.content = content
  }

  /// Returns this card with a heading that depends on what it shows; where people arrange their
  /// cards, it is called by its title.
  package func headed(
    _ heading: @escaping @Sendable (Context) throws -> Text
  ) -> Card {
    var card = self
    card.heading = heading
    return card
  }

  /// Returns this card for the end of the page.
  package func last() -> Card {
    var card = self
    card.isLast = true
    return card
  }
}
