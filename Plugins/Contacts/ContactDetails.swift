import PolyclinicCore

/// The page of one contact.
struct ContactDetails {
  let id: ID<Contact>
  let contact: Contact
  let context: Context
  /// How the contact is reached, and where that leads to.
  private let ways: [(method: CommunicationMethod, link: OutsideLink?)]

  init(id: ID<Contact>, contact: Contact, context: Context) {
    self.id = id
    self.contact = contact
    self.context = context
    ways = contact.methods.map { ($0, $0.link) }
  }

  /// Its title does not name the contact, for browsers keep titles in their history.
  var page: Page {
    let details = contact.details
    let facts: [(Text, String)] = [
      ("field.workplace", details.workplace), ("field.address", details.address),
      ("field.notes", details.notes),
    ]
    let content: HTML = """
      <div class="title"><div class="with-initial"><span class="initial" aria-hidden="true">\
      \(details.name.prefix(1))</span><h1><bdi>\(details.name)</bdi></h1></div>\(reach)</div>\
      <dl class="details">\(CommunicationMethod.Kind.allCases.compactMap(methods))\(birthday)\
      \(each: facts, { fact($0, $1) })</dl>\
      <p class="actions"><a class="button" href="/contacts/\(id)/edit">\
      \(context.text("show.edit"))</a> \
      <a class="button danger secondary" href="/contacts/\(id)/delete">\
      \(context.text("show.delete"))</a> \
      <a class="button plain" href="/contacts/\(id).vcf">\(context.text("show.file"))</a></p>
      """
    return Page("show.title", content, back: "", hasOwnHeading: true)
  }

  /// The first number and the first address, as buttons: what a contact is most often opened for.
  private var reach: HTML? {
    let buttons: [HTML] = [
      (CommunicationMethod.Kind.phone, Icon.phone, Text("show.call")),
      (.email, .mail, "show.write"),
    ].compactMap { kind, icon, label in
      ways.first { $0.method.type == kind && $0.link != nil }?.link.map { link in
        """
        <a class="button secondary" href="\(link)">\(context.icon(icon))\(context.text(label))</a>
        """
      }
    }
    return buttons.isEmpty ? nil : "<div class=\"actions\">\(buttons)</div>"
  }

  private func methods(of kind: CommunicationMethod.Kind) -> HTML? {
    let ways = ways.filter { $0.method.type == kind }
    if ways.isEmpty { return nil }
    return """
      <div><dt>\(context.text(Text("type.\(kind.rawValue)")))</dt>\
      \(each: ways, { "<dd>\(linked($0, $1))</dd>" })</div>
      """
  }

  private func linked(_ method: CommunicationMethod, _ link: OutsideLink?) -> HTML {
    guard let link else { return "<bdi>\(method.value)</bdi>" }
    // Numbers and addresses run from left to right in every language.
    return """
      <a href="\(link)" rel="noopener noreferrer"><bdi dir="ltr">\(method.value)</bdi></a>
      """
  }

  private var birthday: HTML? {
    guard let born = contact.details.birthday else { return contact.card.birthday.map(yearless) }
    let age = born.monthDay.next(onOrAfter: context.today).flatMap {
      Birthday.age(of: born, on: $0)
    }
    let turns: HTML? = age.map {
      " <span class=\"muted\">(\(context.text("birthday.turns", count: $0)))</span>"
    }
    return """
      <div><dt>\(context.text("field.birthday"))</dt>\
      <dd>\(context.formats.date(born))\(turns)</dd></div>
      """
  }

  private func yearless(_ day: MonthDay) -> HTML {
    """
    <div><dt>\(context.text("field.birthday"))</dt>\
    <dd>\(context.formats.monthDay(day))</dd></div>
    """
  }

  private func fact(_ label: Text, _ value: String) -> HTML {
    if value.isEmpty { return HTML() }
    return """
      <div><dt>\(context.text(label))</dt><dd class="lines"><bdi>\(value)</bdi></dd></div>
      """
  }
}

extension CommunicationMethod {
  /// Where it leads; nil where its value is not an address that a browser can follow.
  var link: OutsideLink? {
    switch type {
    case .phone: OutsideLink.telephone(value)
    case .email: OutsideLink.mail(value)
    case .web: OutsideLink.web(value)
    // A name in a messenger may have a dot: only what says so is an address.
    case .messenger, .other:
      value.lowercased().hasPrefix("https://") ? OutsideLink.web(value) : nil
    }
  }
}
