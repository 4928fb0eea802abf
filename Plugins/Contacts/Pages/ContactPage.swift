import PolyclinicCore

/// The page of one contact.
struct ContactPage: RoutedPage {
  static let address: Address<ID<Contact>> = "/contacts/{id}"
  static let deletion: Address<ID<Contact>> = "/contacts/{id}/delete"
  static let linkTitle: Text? = "show.title"

  private let id: ID<Contact>
  private let contact: Contact
  private let context: Context
  /// The contact methods with the links that they lead to.
  private let ways: [(method: CommunicationMethod, link: OutsideLink?)]

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    contact = try Contact.records.load(context)
    ways = contact.methods.map { ($0, $0.link) }
  }

  /// The page. Its title does not name the contact, because browsers keep titles in their history.
  var page: Page {
    let texts = Contact.TextField.onPage.map {
      HTML.Fact(Text("field.\($0.name)"), lines: contact[$0])
    }
    let content: HTML = """
      <div class="title contact"><div class="with-initial">\(HTML.avatar(of: contact.name))\
      <h1><bdi>\(contact.name)</bdi></h1></div>\(actions)</div>\
      \(context.facts(CommunicationMethod.Kind.allCases.map(methods) + [birthday] + texts))\
      \(actions:
        context.button("show.file", to: ContactCard.download.path(id), style: .plain),
        context.button("show.delete", to: Self.deletion.path(id), style: [.danger, .secondary]))
      """
    return Page(
      "show.title", content, back: ContactList.path, assets: [.addressBook], hasOwnHeading: true)
  }

  /// Buttons for the first telephone number and the first e-mail address, the most frequent reasons
  /// to open a contact, and the one to edit it. The first of them is the main button of the page.
  private var actions: HTML {
    let links = [
      (CommunicationMethod.Kind.phone, Icon.phone, Text("show.call")),
      (.email, .mail, "show.write"),
    ].compactMap { kind, icon, label in
      ways.first { $0.method.type == kind && $0.link != nil }?.link.map { (icon, label, $0) }
    }
    let reach = links.enumerated().map { place, link in
      context.button(link.1, to: link.2, style: place == 0 ? [] : .secondary, icon: link.0)
    }
    let edit = context.button(
      "show.edit", to: EditContact.path(id), style: links.isEmpty ? [] : .secondary)
    return "\(actions: reach + [edit])"
  }

  private func methods(of kind: CommunicationMethod.Kind) -> HTML.Fact? {
    let ways = ways.filter { $0.method.type == kind }
    if ways.isEmpty { return nil }
    return HTML.Fact(
      Text("type.\(kind.rawValue)"),
      values: "\(each: ways, { "<dd>\(linked($0, $1))</dd>" })")
  }

  private func linked(_ method: CommunicationMethod, _ link: OutsideLink?) -> HTML {
    guard let link else { return "<bdi>\(method.value)</bdi>" }
    // Numbers and addresses are written from left to right in every language.
    return """
      <a href="\(link)" rel="noopener noreferrer"><bdi dir="ltr">\(method.value)</bdi></a>
      """
  }

  private var birthday: HTML.Fact? {
    guard let born = contact.birthday else { return contact.card.birthday.map(yearless) }
    let next = born.monthDay.next(onOrAfter: context.today)
    let turns: HTML? = next.flatMap { day in
      Birthday.age(of: born, on: day).map { age in
        let text = Text("birthday.turns-on", ["date": context.formats.date(day)], count: age)
        return " <span class=\"muted\">(\(context.text(text)))</span>"
      }
    }
    return HTML.Fact("field.birthday", "\(context.formats.date(born))\(turns)")
  }

  private func yearless(_ day: CalendarDate.MonthDay) -> HTML.Fact {
    HTML.Fact("field.birthday", "\(context.formats.monthDay(day))")
  }
}

extension CommunicationMethod {
  /// The link for this contact method; nil if its value is not an address that a browser can open.
  var link: OutsideLink? {
    switch type {
    case .phone: OutsideLink.telephone(value)
    case .email: OutsideLink.mail(value)
    case .web: OutsideLink.web(value)
    // Links only a value with `https://`, because a messenger name may contain a dot.
    case .messenger, .other:
      value.lowercased().hasPrefix("https://") ? OutsideLink.web(value) : nil
    }
  }
}
