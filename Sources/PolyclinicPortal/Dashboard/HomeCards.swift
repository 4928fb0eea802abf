import PolyclinicCore
import PolyclinicWeb

/// The cards of the home page as a person has arranged them.
///
/// Only the cards of plugins are arranged. Those of the portal itself, and those that a role has
/// first, ask for something and stay on top. What the portal only offers comes last.
struct HomeCards: Resealable {
  /// The identifiers of the cards in the chosen order, one a line. Cards that are missing, such as
  /// those of a new module, follow in their usual order.
  var order = ""
  /// The identifiers of the hidden cards, one a line.
  var hidden = ""
  var unknown = Sealed.UnknownFields()
}

extension HomeCards {
  static let value = PersonalValue(
    "home_cards", Form(HomeCards(), .lines(\.order, "order"), .lines(\.hidden, "hidden")))

  /// A card with its module.
  typealias Entry = (card: Card, member: InstalledModule)

  /// Returns the person's arrangement. One that cannot be read counts as none, because it must not
  /// lock its owner out of the home page; `polyclinic check` reports the row.
  static func find(in work: Work) throws -> HomeCards {
    do { return try value.find(in: work) ?? HomeCards() } catch is UnsealingError {
      return HomeCards()
    }
  }

  /// Writes the arrangement to the person's data export.
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    guard let cards = try value.find(in: work) else { return }
    try copy.write("card_order", .array(cards.order.lines.map(JSON.string)))
    try copy.write("hidden_cards", .array(cards.hidden.lines.map(JSON.string)))
  }

  static func id(_ entry: Entry) -> String {
    "\(entry.member.module.id)/\(entry.card.title.key)"
  }

  private static func isArranged(_ entry: Entry, for visitor: Visitor) -> Bool {
    if entry.member.isBuiltIn || entry.card.access == .everyone { return false }
    return !(entry.card.first.map(visitor.roles.contains) ?? false)
  }

  func isHidden(_ entry: Entry) -> Bool { hidden.lines.contains(Self.id(entry)) }

  /// Returns the cards in the person's order, without the hidden ones.
  func arranged(_ cards: [Entry], for visitor: Visitor) -> [Entry] {
    let fixed = cards.filter { !Self.isArranged($0, for: visitor) }
    return fixed.filter { !$0.card.isLast }
      + all(of: cards, for: visitor).filter { !isHidden($0) } + fixed.filter(\.card.isLast)
  }

  /// Returns the cards that the person can arrange, in their order, with the hidden ones.
  func all(of cards: [Entry], for visitor: Visitor) -> [Entry] {
    let places = Dictionary(
      zip(order.lines, 0...), uniquingKeysWith: { first, _ in first })
    return cards.filter { Self.isArranged($0, for: visitor) }.enumerated().sorted { one, other in
      let (own, others) = (places[Self.id(one.element)], places[Self.id(other.element)])
      return (own ?? places.count, one.offset) < (others ?? places.count, other.offset)
    }.map(\.element)
  }
}

/// The page on which people order and hide the cards of their home page.
struct HomeCardsPage: RoutedPage {
  static let address: Address<Void> = "/account/home-cards"
  static let moving: Address<Void> = "/account/home-cards/up"
  static let hiding: Address<Void> = "/account/home-cards/hide"
  static let showing: Address<Void> = "/account/home-cards/show"

  private let cards: HomeCards
  private let entries: [HomeCards.Entry]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    cards = try HomeCards.find(in: context)
    entries = try Self.entries(as: cards, context)
  }

  private static func entries(
    as cards: HomeCards, _ context: Context
  ) throws -> [HomeCards.Entry] {
    let visitor = try context.signedIn()
    return cards.all(of: context.server.installation.cards(for: visitor), for: visitor)
  }

  var page: Page {
    let content: HTML =
      entries.isEmpty
      ? context.emptyState(.tiles, "home-cards.empty")
      : """
      <p class="lead">\(context.text("home-cards.lead"))</p>\
      \(rows: entries.enumerated().map { row($0, $1) })
      """
    return Page("home-cards.title", content, back: "/account")
  }

  private func row(_ place: Int, _ entry: HomeCards.Entry) -> HTML {
    let title = entry.member.phrasebook.string(entry.card.title, in: context.language)
    let module = entry.member.phrasebook.string(entry.member.module.title, in: context.language)
    func button(_ label: Text, _ address: Address<Void>) -> HTML {
      context.button(
        label, posts: address.path, with: ["card": HomeCards.id(entry)],
        style: [.secondary, .small], of: title)
    }
    let isHidden = cards.isHidden(entry)
    return .row(
      "\(title)", mark: isHidden ? context.badge("home-cards.hidden", .neutral) : nil,
      detail: title == module ? nil : "\(module)",
      actions: place > 0 ? button("home-cards.up", Self.moving) : nil,
      isHidden
        ? button("home-cards.show", Self.showing) : button("home-cards.hide", Self.hiding))
  }

  /// Swaps a card with the one before it.
  static func moveUp(_ context: Context) throws -> Path {
    try change(context) { cards, id, ids in
      guard let place = ids.firstIndex(of: id), place > 0 else { return }
      var moved = ids
      moved.swapAt(place, place - 1)
      // Keeps the places of cards that are not shown at present, such as those of a disabled module.
      cards.order = (moved + cards.order.lines.filter { !moved.contains($0) })
        .joined(separator: "\n")
    }
  }

  static func hide(_ context: Context) throws -> Path {
    try change(context) { cards, id, _ in
      cards.hidden = (cards.hidden.lines.filter { $0 != id } + [id]).joined(separator: "\n")
    }
  }

  static func show(_ context: Context) throws -> Path {
    try change(context) { cards, id, _ in
      cards.hidden = cards.hidden.lines.filter { $0 != id }.joined(separator: "\n")
    }
  }

  /// Changes the arrangement. `body` gets the sent card and the identifiers of all cards that the
  /// person can arrange.
  private static func change(
    _ context: Context, _ body: (inout HomeCards, String, [String]) -> Void
  ) throws -> Path {
    var cards = try HomeCards.find(in: context)
    let ids = try entries(as: cards, context).map(HomeCards.id)
    let id = context.request.fields["card"]
    guard ids.contains(id) else { throw Refusal.notFound }
    body(&cards, id, ids)
    try HomeCards.value.save(cards, in: context)
    return path
  }
}

extension String {
  /// The lines of the text; none of an empty text.
  fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}
