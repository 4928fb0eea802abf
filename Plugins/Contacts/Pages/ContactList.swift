import PolyclinicCore

/// The page with the list of contacts, or the results of a search.
struct ContactList: RoutedPage {
  static let address: Address<Void> = "/contacts"

  private let context: Context
  private let found: SealedIndex<Contact.Entry>.Slice
  /// The search text as it was typed; empty for the whole list.
  private let words: String
  /// The contact that a letter leads to.
  private var first: ID<Contact>?
  /// The notice of a deletion a moment ago, with an undo button.
  private let notice: HTML?
  /// True if the address book has likely duplicates.
  private let offersMerging: Bool

  init(_ context: Context) throws {
    self.context = context
    let sent = context.request.query
    let query = SearchText.Query(sent["q"])
    words = query.isEmpty ? "" : sent["q"]
    var number = sent.page
    if let letter = sent["letter"].first {
      (first, number) = try Self.first(from: SearchText(String(letter)), in: context)
    }
    found =
      query.isEmpty
      ? try Contact.index.page(number, in: context)
      : try Self.search(query, page: number, in: context)
    notice = try Contact.records.undoNotice(context)
    let isWhole = query.isEmpty && found.pagination.page == 1
    let look = isWhole ? try MergeMemory.offer(of: found.pagination.total, in: context) : nil
    offersMerging = look?.hasLikely == true
    try look?.remember(context)
  }

  /// The largest address book whose notes are searched, because each of its contacts is opened for
  /// that.
  private static let smallBook = 300

  /// Returns the contacts with these words in name, workplace or e-mail addresses, or with these
  /// digits in a telephone number; in a small address book also those with the words in their
  /// notes.
  private static func search(
    _ query: SearchText.Query, page: Int, in work: Work
  ) throws -> SealedIndex<Contact.Entry>.Slice {
    let total = try Contact.index.page(1, in: work).pagination.total
    let noted = total <= smallBook ? try Contact.noted(query, in: work) : []
    if noted.isEmpty { return try Contact.index.search(query, in: work, page: page) }
    return try Contact.index.page(page, in: work) {
      noted.contains($0.id) || $0.isMeant(by: query)
    }
  }

  /// Returns the first contact whose name does not stand before the letter, and the number of its
  /// page; nil and the last page if all names stand before it.
  private static func first(
    from letter: SearchText, in work: Work
  ) throws -> (contact: ID<Contact>?, page: Int) {
    var before = 0
    var first: ID<Contact>?
    try Contact.index.forEach(in: work) { entry in
      if first == nil, entry.name < letter { before += 1 } else { first = first ?? entry.id }
    }
    let place = first == nil ? max(0, before - 1) : before
    return (first, place / Page.Pagination.size + 1)
  }

  var page: Page {
    let isSearch = !words.isEmpty
    let isEmpty = found.isEmpty && !isSearch
    return Page(
      "list.title",
      isEmpty
        ? "\(notice)\(nothingYet)" : "\(notice)\(taken)\(merging)\(search)\(letters)\(results)",
      actions: isEmpty ? nil : actions, assets: isEmpty ? [] : [.search, .addressBook])
  }

  /// The notice with the result of an import a moment ago.
  private var taken: HTML? {
    let sent = context.request.query
    let counts = ["new", "updated", "omissions"].map { Int(sent[$0]) ?? 0 }
    guard sent.contains("new"), counts.allSatisfy((0...1_000_000).contains) else { return nil }
    let words: [Text] = ["taken.new", "taken.updated", "taken.omissions"]
    let said = zip(words, counts).filter { $1 > 0 }.map { context.text($0, count: $1) }
    return .notice(
      .outcome,
      "<p>\(said.isEmpty ? context.text("taken.nothing") : said.joined(separator: " "))</p>")
  }

  private var merging: HTML? {
    guard offersMerging else { return nil }
    return context.notice(
      .remark, "merge.offer",
      action: context.button(
        "merge.offer.look", to: DuplicatesPage.path, style: [.secondary, .small]))
  }

  /// The buttons beside the heading.
  private var actions: HTML {
    """
    \(actions:
      context.button("list.new", to: NewContact.path), files)
    """
  }

  /// The rare buttons for files, folded.
  private var files: HTML {
    """
    <details class="fold"><summary>\(context.text("list.files"))</summary>\(actions:
      context.button("list.import", to: ContactCard.upload.path, style: .secondary),
      context.button("list.export", to: ContactCard.export.path, style: .secondary))</details>
    """
  }

  /// The fewest contacts of a list with letters.
  private static let fewestForLetters = 20

  /// Links to the first name of each letter; nil for a short list. A list of one page has the
  /// letters of its names in all alphabets, a longer one those of the reader's alphabet.
  private var letters: HTML? {
    guard words.isEmpty, found.pagination.total >= Self.fewestForLetters else { return nil }
    let links =
      found.pagination.pageCount > 1 ? Self.letters[context.language] : Self.links(initials)
    return """
      <nav class="letters" aria-label="\(context.text("list.letters"))">\(links)</nav>
      """
  }

  /// The initials of the names on the page, in their order.
  private var initials: [String] {
    var known: Set<String> = []
    return found.entries.map { $0.name.string.prefix(1).uppercased() }
      .filter { known.insert($0).inserted }
  }

  /// The links to the letters of each language's alphabet. They are made once, because each page
  /// has the same.
  private static let letters: [Language: HTML] = [
    .english: links("ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)),
    .russian: links("АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ".map(String.init)),
    .hebrew: links("אבגדהוזחטיכלמנסעפצקרשת".map(String.init)),
  ]

  private static func links(_ letters: [String]) -> HTML {
    """
    \(each: letters, { letter in
      "<a href=\"\(path.query(["letter": letter]))#at\">\(letter)</a>"
    })
    """
  }

  private var search: HTML {
    context.searchForm(
      at: Self.path, "list.search.label", words: words, submit: "list.search", isLive: true)
  }

  private var results: HTML {
    if found.isEmpty {
      return """
        <div id="results">\(context.resultCount("list.nothing-found"))\
        \(context.emptyState(
            .glass, hint: "list.nothing-found.hint",
            actions: context.button("list.search.clear", to: Self.path, style: .secondary)))</div>
        """
    }
    let (phone, word) = (context.icon(.phone), context.text("show.call"))
    let count = Text(words.isEmpty ? "list.count" : "list.found", count: found.pagination.total)
    return """
      <div id="results">\(context.resultCount(count))\
      \(rows: found.entries, style: " contacts", { row($0, phone, word) })\(pages)</div>
      """
  }

  /// Returns a row, with the icon and the word of the button that calls. They are made once, as the
  /// row is one piece of markup, because a page has dozens of rows.
  private func row(_ entry: Contact.Entry, _ phone: HTML, _ word: String) -> HTML {
    let mark: HTML? = entry.id == first ? " id=\"at\"" : nil
    return """
      <li\(mark)><a href="\(ContactPage.path(entry.id))"><span class="with-initial">\
      \(avatarOf: entry.name, initials: entry.initials)\
      <span><strong><bdi>\(entry.name)</bdi></strong>\
      <span class="secondary-text"><bdi>\(utf8: entry.reach)</bdi></span></span></span></a>\
      \(calling: entry.dialed, of: entry.name, phone, word)</li>
      """
  }

  private var pages: HTML? {
    context.pageLinks(found.pagination) { page in
      let number = String(page)
      return Self.path.query(words.isEmpty ? ["page": number] : ["q": words, "page": number])
    }
  }

  private var nothingYet: HTML {
    context.emptyState(
      .addressBook, "list.empty", hint: "list.empty.hint", ghosts: 2,
      actions: context.button("list.first", to: NewContact.path),
      context.button("list.import", to: ContactCard.upload.path, style: .secondary))
  }
}
