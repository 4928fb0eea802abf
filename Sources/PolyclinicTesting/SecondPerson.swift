import PolyclinicCore

/// A person who opens all pages of the modules, presses all their buttons and posts to all their
/// routes, also with the numbers of somebody else's records.
package struct SecondPerson {
  /// The most links of the pages that are followed.
  private static let mostLinks = 100
  /// The most forms that are sent, because an answer may offer further ones.
  private static let mostForms = 1_000

  private let visitor: TestVisitor
  private let portal: TestPortal
  private let word: String
  /// The tables whose rows belong to several people at once.
  package var sharedTables: Set<String> = []
  private let routes: [DeclaredRoute]
  private let firstNumbers: Set<Int>
  private let ownNumbers: Set<Int>
  /// The rows of the first person.
  private var rows: TableRows
  private var forms: [PostedForm] = []
  private var known: Set<String> = []
  /// A sentence for each row that was changed, and for each page that shows ``word``.
  package private(set) var broken: [String] = []

  /// Creates a person who tries to reach what `first` has stored.
  ///
  /// `word` is a part of each text that only `first` has typed.
  package init(
    _ visitor: TestVisitor, reaching first: TestVisitor, whoTyped word: String
  ) throws {
    self.visitor = visitor
    self.word = word
    portal = visitor.portal
    routes = try portal.moduleRoutes()
    let owner = try portal.person(of: first)
    rows = try portal.moduleRows(of: owner)
    firstNumbers = try Self.numbers(of: owner, in: portal)
    ownNumbers = try Self.numbers(of: portal.person(of: visitor), in: portal)
  }

  private static func numbers(of person: ID<Person>, in portal: TestPortal) throws -> Set<Int> {
    try portal.moduleTables().reduce(into: []) { numbers, table in
      numbers.formUnion(try portal.numbers(of: person, in: table).suffix(3))
    }
  }

  /// Opens the pages and follows their links, then sends their forms, first with the numbers of the
  /// first person.
  package mutating func tryEverything() throws {
    let pages = ModuleContract.portalPages + paths(.get)
    let links = pages.flatMap { open($0) }
    var opened = Set(pages)
    let further = links.filter { isOfModules($0) && opened.insert($0).inserted }
    for link in further.prefix(Self.mostLinks) { open(link) }
    forms = forms.flatMap { variants(of: $0) } + forms
    let offered = Set(forms.map(\.path))
    forms += paths(.post).filter { !offered.contains($0) }.map {
      // The first page has the token of whoever posts to the path, the person or a guardian.
      let page = visitor.guardian?.sends("POST", $0) == true ? "/" : "/privacy"
      return PostedForm(path: $0, shape: $0, fields: visitor.get(page).hidden(of: "/logout"))
    }
    var sent = 0
    while sent < min(forms.count, Self.mostForms) {
      try send(forms[sent])
      sent += 1
    }
    for page in pages where !page.contains(where: \.isNumber) { open(page) }
  }

  /// Returns the paths of the modules' routes with this method, with the numbers of both.
  private func paths(_ method: Request.Method) -> [String] {
    routes.filter { $0.methods.contains(method) }.flatMap { route -> [String] in
      guard route.path.contains("{") else { return [route.path] }
      return firstNumbers.union(ownNumbers).sorted().map { number in
        let segments = route.path.split(separator: "/").map {
          $0.hasPrefix("{") ? "\(number)" + $0.drop { $0 != "}" }.dropFirst() : String($0)
        }
        return "/" + segments.joined(separator: "/")
      }
    }
  }

  /// Returns true for a path of a module, and for one of "Recently deleted".
  private func isOfModules(_ path: String) -> Bool {
    path.hasPrefix("/account/deleted/")
      || routes.contains { route in
        let top = route.path.dropFirst().prefix { $0 != "/" }
        return path.dropFirst().prefix { $0 != "/" && $0 != "?" } == top
      }
  }

  /// Requests a page, keeps its forms and returns its links.
  @discardableResult
  private mutating func open(_ path: String) -> [String] {
    let page = visitor.get(path)
    examine(page, "GET \(path)")
    return page.links
  }

  private mutating func examine(_ page: TestPage, _ request: String) {
    if page.contains(word) || page.headers.contains(where: { $0.value.contains(word) }) {
      broken.append("\(request) shows to another person what a person typed")
    }
    // An answer may offer a form with one row more, and that one again.
    let isAnswer = request.hasPrefix("POST")
    for form in page.postedForms where isOfModules(form.path) {
      let isOfNewShape = known.insert(form.shape).inserted
      if isNew(form), isOfNewShape || !isAnswer { forms.append(form) }
    }
  }

  private mutating func isNew(_ form: PostedForm) -> Bool { known.insert(form.key).inserted }

  /// Returns the form as it would be for each record of the first person.
  private mutating func variants(of form: PostedForm) -> [PostedForm] {
    let own = ownNumbers.map(String.init)
    return firstNumbers.sorted().map { number in
      func other(_ text: String) -> String { own.contains(text) ? "\(number)" : text }
      let path = form.path.split(separator: "/").map { other(String($0)) }.joined(separator: "/")
      return PostedForm(
        path: "/" + path, shape: form.shape,
        fields: form.fields.map { ($0, PostedForm.tokens.contains($0) ? $1 : other($1)) })
    }.filter { isNew($0) }
  }

  private mutating func send(_ form: PostedForm) throws {
    let answer = visitor.post(form.path, pairs: form.fields)
    examine(answer, "POST \(form.path)")
    let now = try portal.moduleRows()
    for table in rows.tablesWithLosses(in: now) where !sharedTables.contains(table) {
      broken.append("POST \(form.path) by another person changes rows of \(table)")
    }
    rows = rows.updated(by: now)
  }
}

/// A form of a page with the fields that a browser would send.
struct PostedForm {
  /// The fields that each form of a session has.
  static let tokens: Set = ["csrf", "once", "person"]

  let path: String
  /// A text that is the same for forms with the same button and hidden fields.
  let shape: String
  let fields: [(String, String)]

  /// A text that is the same for the same change.
  fileprivate var key: String {
    fields.filter { !Self.tokens.contains($0.0) }.reduce(path) { "\($0)\n\($1.0)=\($1.1)" }
  }
}
