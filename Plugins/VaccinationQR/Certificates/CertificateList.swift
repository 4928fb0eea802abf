import PolyclinicCore

/// The page with the person's certificates in their order.
struct CertificateList: RoutedPage {
  static let address: Address<Void> = "/vaccination-qr"
  static let first: Address<ID<Certificate>> = "/vaccination-qr/{id}/first"

  /// The certificates that have not expired, and those without a term.
  private let current: [Certificate.Entry]
  private let expired: [Certificate.Entry]
  /// The notice of a deletion a moment ago, with an undo button.
  private let notice: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let entries = try Certificate.entries(in: context)
    current = entries.filter { !$0.isExpired(on: context.today) }
    expired = entries.filter { $0.isExpired(on: context.today) }
    notice = try Certificate.records.undoNotice(context)
  }

  private var isEmpty: Bool { current.isEmpty && expired.isEmpty }

  var page: Page {
    // To show a current code is why people open this page. Without one, they need a new one.
    let add = context.button(
      "list.new", to: AddCertificate.path, style: current.isEmpty ? [] : .secondary)
    let lists: HTML =
      isEmpty
      ? context.emptyState(.qr, "list.empty", hint: "list.empty.hint", actions: add)
      : "\(Self.list(current.map { row($0) }))\(expiredSection)"
    return Page(
      "list.title", "\(notice)\(lists)\(rows: ways, style: " wallet")",
      actions: isEmpty ? nil : add, assets: [.certificates], width: .wide)
  }

  private static func list(_ rows: [HTML]) -> HTML? {
    rows.isEmpty ? nil : "\(rows: rows, style: " wallet certificates")"
  }

  private var expiredSection: HTML? {
    guard let list = Self.list(expired.map { row($0, style: .secondary) }) else { return nil }
    return """
      <h2 class="day">\(context.text("list.expired"))</h2>\
      <p class="hint">\(context.text("list.expired.hint"))</p>\(list)
      """
  }

  /// The rows that lead to the vaccination record and to the cards on paper.
  private var ways: [HTML] {
    let record = HTML.row(
      to: VaccinationList.path, "\(context.text("record.title"))",
      detail: "\(context.text("record.about"))", lead: context.icon(.syringe))
    guard (current + expired).contains(where: { !$0.kind.isEmpty }) else { return [record] }
    return [
      record,
      .row(
        to: CertificateCards.path, "\(context.text("print.all"))",
        detail: "\(context.text("print.about"))", lead: context.icon(.qr)),
    ]
  }

  private func row(_ entry: Certificate.Entry, style: HTML.ButtonStyle = []) -> HTML {
    """
    <li><a class="certificate" href="\(CertificatePage.path(entry.id))">\(picture(of: entry))\
    <span><strong><bdi>\(context.certificateHolder(entry))</bdi></strong>\
    <span class="secondary-text">\(context.certificateDetail(entry))</span>\
    \(context.termBadge(entry.expires))</span></a>\
    \(actions:
      context.button(
        entry.kind.isEmpty ? "show.button" : "show.code", to: CertificateScreen.path(entry.id),
        style: style,
        of: context.certificateTitle(entry.label, of: entry.holder)))</li>
    """
  }

  /// Returns the first page; for a code without a picture the initials of its holder.
  private func picture(of entry: Certificate.Entry) -> HTML {
    if (entry.pages ?? 0) > 0 {
      let thumbnail = CertificateFile.preview.path(entry.id)
      return "<img src=\"\(thumbnail)\" alt=\"\" width=\"64\" height=\"64\" loading=\"lazy\">"
    }
    return entry.holder.isEmpty
      ? "<span class=\"initial\">\(context.icon(.qr))</span>" : .avatar(of: entry.holder)
  }

  /// Moves a certificate before all others, and renumbers the person's certificates.
  static func moveFirst(_ context: Context) throws -> Path {
    let id: ID<Certificate> = try context.id()
    var entries = try Certificate.entries(in: context)
    guard let index = entries.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
    entries.insert(entries.remove(at: index), at: 0)
    let moved = try zip(1..., entries).filter { $1.place != $0 }.map { place, entry in
      guard var certificate = try Certificate.records.find(entry.id, in: context) else {
        throw Refusal.notFound
      }
      certificate.place = place
      return (id: entry.id, record: certificate)
    }
    try Certificate.records.replace(contentsOf: moved, in: context)
    return path
  }
}

extension Context {
  /// Returns the label of a certificate; without one its holder, and "Certificate" without either.
  func certificateTitle(_ label: String, of holder: String) -> String {
    [label, holder].first { !$0.isEmpty } ?? text("certificate.unnamed")
  }

  /// Returns the holder of a certificate, by whom people look for it in a list; its label if the
  /// code names none.
  func certificateHolder(_ entry: Certificate.Entry) -> String {
    entry.holder.isEmpty ? certificateTitle(entry.label, of: "") : entry.holder
  }

  /// Returns the label of a certificate unless it is the title, the kind and the dose.
  func certificateDetail(_ entry: Certificate.Entry) -> HTML {
    // A label that is a part of the holder's name, such as the first name, says nothing more.
    let isNamed = !entry.label.isEmpty && !certificateHolder(entry).contains(entry.label)
    let label: HTML? = isNamed ? "<bdi>\(entry.label)</bdi> · " : nil
    let kind: Text = entry.kind.isEmpty ? "kind.none" : Text("kind.\(entry.kind)")
    let dose: HTML? =
      entry.dose.isEmpty
      ? nil : " · <span class=\"dose\">\(text("certificate.dose", ["number": entry.dose]))</span>"
    return "\(label)\(text(kind))\(dose)"
  }

  /// Returns a badge with the day of the technical expiry; nil for a certificate without one.
  func termBadge(_ lastDay: CalendarDate?) -> HTML? {
    expiryBadge(lastDay)
      ?? lastDay.map { badge(Text("certificate.until", ["date": formats.shortDate($0)])) }
  }

  /// Returns a badge with the day of a technical expiry that has passed; nil otherwise.
  func expiryBadge(_ lastDay: CalendarDate?) -> HTML? {
    guard let lastDay, lastDay < today else { return nil }
    return badge(Text("certificate.expired", ["date": formats.shortDate(lastDay)]), .waiting)
  }
}

extension Page.Asset {
  /// The style of certificates and their codes.
  static let certificates = Page.Asset("certificates.css", PackageResources.certificates_css)
  /// The script that takes a picture from the clipboard.
  static let paste = Page.Asset("paste.js", PackageResources.paste_js)
}
