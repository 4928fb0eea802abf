import PolyclinicCore

/// The page of one contact.
struct ContactDetails {
  let id: ID<Contact>
  let contact: Contact
  let context: Context

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
      \(context.text("show.delete"))</a></p>
      """
    return Page("show.title", content, back: "", hasOwnHeading: true)
  }

  /// The first number and the first address, as buttons: what a contact is most often opened for.
  private var reach: HTML? {
    let buttons: [HTML] = [
      (CommunicationMethod.Kind.phone, Icon.phone, Text("show.call")),
      (.email, .mail, "show.write"),
    ].compactMap { kind, icon, label in
      link(to: kind).map { link in
        """
        <a class="button secondary" href="\(link)">\(context.icon(icon))\(context.text(label))</a>
        """
      }
    }
    return buttons.isEmpty ? nil : "<div class=\"actions\">\(buttons)</div>"
  }

  private func link(to kind: CommunicationMethod.Kind) -> OutsideLink? {
    for method in contact.methods where method.type == kind {
      if let link = method.link { return link }
    }
    return nil
  }

  private func methods(of kind: CommunicationMethod.Kind) -> HTML? {
    let methods = contact.methods.filter { $0.type == kind }
    if methods.isEmpty { return nil }
    return """
      <div><dt>\(context.text(Text("type.\(kind.rawValue)")))</dt>\
      \(each: methods, { "<dd>\(linked($0))</dd>" })</div>
      """
  }

  private func linked(_ method: CommunicationMethod) -> HTML {
    guard let link = method.link else { return "<bdi>\(method.value)</bdi>" }
    // Numbers and addresses run from left to right in every language.
    return """
      <a href="\(link)" rel="noopener noreferrer"><bdi dir="ltr">\(method.value)</bdi></a>
      """
  }

  private var birthday: HTML? {
    guard let born = contact.details.birthday else { return nil }
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
