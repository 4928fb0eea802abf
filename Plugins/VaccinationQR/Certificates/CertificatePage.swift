import PolyclinicCore
import PolyclinicDocuments

/// The page of one certificate: its codes, their content, and its pictures.
struct CertificatePage: RoutedPage {
  static let address: Address<ID<Certificate>> = "/vaccination-qr/{id}"
  static let deletion: Address<ID<Certificate>> = "/vaccination-qr/{id}/clear"
  static let linkTitle: Text? = "certificate.title"

  private let id: ID<Certificate>
  private let certificate: Certificate
  private let codes: [StoredCode]
  /// The content of each code, in the same order.
  private let statements: [CodeStatements]
  /// True if another certificate comes first in its part of the list: current or expired.
  private let followsAnother: Bool
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    certificate = try Certificate.records.load(context)
    codes = try certificate.storedCodes(of: id, in: context)
    statements = try CodeStatements.all(of: codes.map(\.payload), context)
    let today = context.today
    let isExpired = Certificate.Entry(certificate, id: id).isExpired(on: today)
    var first: ID<Certificate>?
    try Certificate.index.prefix(in: context) { entry in
      guard entry.isExpired(on: today) == isExpired else { return true }
      first = entry.id
      return false
    }
    followsAnother = first != id
  }

  var page: Page {
    let print = CertificateCards.path.query(["certificate": id.description])
    return Page(
      "certificate.title",
      """
      <div class="title"><h1><bdi>\(context.certificateTitle(certificate.label, of: certificate.holder))</bdi>\
      \(statements.lazy.compactMap(\.badge).first.map { " \($0)" })</h1>\
      \(actions:
        context.button("show.button", to: CertificateScreen.path(id)),
        codes.isEmpty ? nil : context.button("print.button", to: print, style: .secondary),
        context.button("edit.button", to: EditCertificate.path(id), style: .secondary),
        followsAnother
          ? context.button("order.first", posts: CertificateList.first.path(id), style: .secondary)
          : nil,
        context.button("clear.button", to: Self.deletion.path(id), style: [.danger, .secondary]))</div>\
      \(kept)\(each: zip(codes, statements), { code($0, $1) })\(noCode)\(pictures)
      """, back: CertificateList.path, assets: [.certificates], width: .wide, hasOwnHeading: true)
  }

  private var kept: HTML? {
    switch context.request.query["kept"] {
    case "": nil
    case "part": context.notice(.outcome, "kept.part")
    case "again": context.notice(.outcome, "kept.again")
    default: context.notice(.outcome, "kept.done")
    }
  }

  private func code(_ code: StoredCode, _ statements: CodeStatements) -> HTML {
    """
    <section class="card code"><div>\(drawn(code))</div><div>\(statements.html)\(record(code, statements))\
    \(details(code, statements))</div></section>
    """
  }

  /// All that the code says, and its files, folded; nil for a code that says nothing more.
  private func details(_ code: StoredCode, _ statements: CodeStatements) -> HTML? {
    let content: HTML = "\(statements.details)\(saving(code))"
    if content.isEmpty { return nil }
    return """
      <details class="fold"><summary>\(context.text("code.details"))</summary>\(content)</details>
      """
  }

  private func record(_ code: StoredCode, _ statements: CodeStatements) -> HTML? {
    guard statements.certifiesVaccination else { return nil }
    let from = NewVaccination.path
      .query(["certificate": id.description, "number": String(code.number)])
    return "\(actions: context.button("record.fill", to: from, style: .secondary))"
  }

  private func drawn(_ code: StoredCode) -> HTML {
    guard let grid = code.grid else { return "<p>\(context.text("code.not-drawn"))</p>" }
    return "<div class=\"qr\">\(grid.svg(label: context.text("code.label")))</div>"
  }

  /// The links to the drawn code as a file.
  private func saving(_ code: StoredCode) -> HTML? {
    if code.grid == nil { return nil }
    func save(_ label: Text, _ address: Address<ID<Certificate>>) -> HTML {
      let file = address.path(id).query(["number": String(code.number), "save": "yes"])
      return context.button(label, to: file, style: [.plain, .small])
    }
    return
      "\(actions: save("code.save-png", CertificateFile.png), save("code.save-svg", CertificateFile.svg))"
  }

  private var noCode: HTML? {
    guard codes.isEmpty else { return nil }
    return .notice(
      .remark, "<p>\(context.text("code.none"))</p><p>\(context.text("code.none.hint"))</p>")
  }

  private var pictures: HTML? {
    let numbers = (0..<(certificate.pages ?? 0)).map { String($0 + 1) }
    if numbers.isEmpty { return nil }
    let image = CertificateFile.image.path(id)
    return """
      <section class="card code-picture"><h2>\(context.text("picture.title"))</h2>\
      \(each: numbers, { number in
        """
        <p><img class="page" src="\(image.query(["number": number]))" \
        alt="\(context.text("picture.page", ["number": number]))"></p>\
        <p>\(context.button("picture.save", to: image.query(["number": number, "save": "yes"]), style: [.plain, .small]))</p>
        """
      })</section>
      """
  }
}

/// The form for a certificate's label, the only property that the user can change.
struct EditCertificate: RoutedForm {
  static let address: Address<ID<Certificate>> = "/vaccination-qr/{id}/edit"
  static let title: Text = "edit.title"
  static let cancel = CertificatePage.address.pattern
  static let isVersioned = true
  static let form = Form(
    Draft(),
    .text(
      \.label, "label", limit: Certificate.labelLimit, autocomplete: "off",
      hint: "field.label.hint"))

  struct Draft: Sendable {
    var label = ""
  }

  private let id: ID<Certificate>
  private let certificate: Certificate
  var start: Draft { Draft(label: certificate.label) }

  init(_ context: Context) throws {
    id = try context.id()
    certificate = try Certificate.records.load(context)
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    try certificate.rename(id, to: draft.label, in: context)
    return Redirect(to: CertificatePage.path(id))
  }
}
