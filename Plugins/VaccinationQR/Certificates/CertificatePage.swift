import PolyclinicCore
import PolyclinicDocuments
import PolyclinicPlaces

extension CertificatePages {
  static func details(_ context: Context) throws -> Response {
    let id: ID<Certificate> = try context.id()
    let certificate = try Certificate.load(id, in: context)
    let codes = try certificate.storedCodes(of: id, in: context)
    let details = CertificatePage(
      id: id, certificate: certificate, codes: codes,
      statements: try CodeStatements.all(of: codes.map(\.payload), context),
      context: context)
    return .page(details.page)
  }

  /// Shows a code on the full screen, for an inspector to scan.
  static func show(_ context: Context) throws -> Response {
    let id: ID<Certificate> = try context.id()
    let certificate = try Certificate.load(id, in: context)
    let codes = try certificate.storedCodes(of: id, in: context)
    let screen = CertificateScreen(id: id, certificate: certificate, codes: codes, context: context)
    return .page(try screen.page)
  }
}

/// A stored code of a certificate.
struct StoredCode: Sendable {
  /// The number, from 1.
  let number: Int
  let payload: [UInt8]
  /// The modules of the drawn code; nil if scanning it would not return the same bytes.
  let grid: ModuleGrid?
}

extension Certificate {
  /// Returns a certificate. Throws ``Refusal/notFound`` if the person has none with this id.
  static func load(
    _ id: ID<Certificate>, in work: Work
  ) throws -> Certificate {
    guard let found = try records.find(id, in: work) else {
      throw Refusal.notFound
    }
    return found
  }

  /// Changes the label of a certificate. Throws ``Refusal/notFound`` if the person has none with
  /// this id.
  static func rename(
    _ id: ID<Certificate>, to label: String, in work: Work
  ) throws {
    var certificate = try load(id, in: work)
    certificate.label = label
    try records.replace(id, with: certificate, in: work)
  }

  /// Changes the position of a certificate. Throws ``Refusal/notFound`` if the person has none with
  /// this id.
  static func move(
    _ id: ID<Certificate>, to place: Int, in work: Work
  ) throws {
    var certificate = try load(id, in: work)
    certificate.place = place
    try records.replace(id, with: certificate, in: work)
  }

  /// Returns the codes in their order. Throws ``DecodingFailure`` if one is missing.
  func storedCodes(
    of id: ID<Certificate>, in work: Work
  ) throws -> [StoredCode] {
    let numbers = Array(1..<1 + (codes ?? 0))
    let files = numbers.flatMap { [CertificateFile.payload($0), .grid($0)] }.map(\.name)
    let found = try Self.files.find(files, of: [id], in: work)[id] ?? [:]
    return try numbers.map { number in
      guard let payload = found[CertificateFile.payload(number).name] else {
        throw DecodingFailure()
      }
      let grid = try found[CertificateFile.grid(number).name].map(ModuleGrid.init)
      return StoredCode(number: number, payload: payload, grid: grid)
    }
  }

  /// Returns the payloads of the codes of each certificate, in their order, read by one statement.
  /// Throws ``DecodingFailure`` if one is missing.
  static func payloads(
    of certificates: [(id: ID<Certificate>, record: Certificate)], in work: Work
  ) throws -> [[[UInt8]]] {
    let most = certificates.map { $0.record.codes ?? 0 }.max() ?? 0
    let names = (1..<1 + most).map { CertificateFile.payload($0).name }
    let found = try files.find(names, of: certificates.map(\.id), in: work)
    return try certificates.map { id, certificate in
      try names.prefix(certificate.codes ?? 0).map { name in
        guard let payload = found[id]?[name] else { throw DecodingFailure() }
        return payload
      }
    }
  }
}

/// The page of one certificate: its codes, their content, and its pictures.
struct CertificatePage {
  let id: ID<Certificate>
  let certificate: Certificate
  let codes: [StoredCode]
  /// The content of each code, in the same order.
  let statements: [CodeStatements]
  let context: Context

  private var path: Path { "/vaccination-qr/\(id)" }

  var page: Page {
    Page(
      "certificate.title",
      """
      <div class="title"><h1><bdi>\(CertificateViews.name(certificate.label, context))</bdi></h1>\
      \(actions:
        context.button("show.button", to: "\(path)/show"),
        codes.isEmpty ? nil : printButton,
        context.button("edit.button", to: "\(path)/edit", style: .secondary),
        context.button("clear.button", to: "\(path)/clear", style: .secondary))</div>\
      \(kept)\(each: zip(codes, statements), { code($0, $1) })\(noCode)\(pictures)\(contacts)
      """, back: "", assets: [.certificates], width: .wide, hasOwnHeading: true)
  }

  private var printButton: HTML {
    let page: Path = "/vaccination-qr/print"
    return context.button(
      "print.button", to: page.query(["certificate": id.description]), style: .secondary)
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
    <section class="card code"><div>\(drawn(code))</div><div>\(statements.html)\(record(code, statements))</div>\
    </section>
    """
  }

  private func record(_ code: StoredCode, _ statements: CodeStatements) -> HTML? {
    guard statements.certifiesVaccination else { return nil }
    let new: Path = "/vaccination-qr/record/new"
    let from = new.query(["certificate": id.description, "number": String(code.number)])
    return """
      \(actions: context.button("record.fill", to: from, style: .secondary))
      """
  }

  private func drawn(_ code: StoredCode) -> HTML {
    guard let grid = code.grid else {
      return "<p>\(context.text("code.not-drawn"))</p>"
    }
    let saved: KeyValuePairs = ["number": String(code.number), "save": "yes"]
    let (png, svg): (Path, Path) = ("\(path)/qr.png", "\(path)/qr.svg")
    return """
      <div class="qr">\(grid.svg(label: context.text("code.label")))</div>\
      \(actions:
        context.button("code.save-png", to: png.query(saved), style: [.plain, .small]),
        context.button("code.save-svg", to: svg.query(saved), style: [.plain, .small]))
      """
  }

  private var noCode: HTML? {
    guard codes.isEmpty else { return nil }
    return .notice(
      .remark, "<p>\(context.text("code.none"))</p><p>\(context.text("code.none.hint"))</p>")
  }

  private var pictures: HTML {
    let numbers = (0..<(certificate.pages ?? 0)).map { String($0 + 1) }
    if numbers.isEmpty { return HTML() }
    return """
      <section class="card code-picture"><h2>\(context.text("picture.title"))</h2>\
      \(each: numbers, { number in
        let image: Path = "\(path)/image"
        return """
          <p><img class="page" src="\(image.query(["number": number]))" \
          alt="\(context.text("picture.page", ["number": number]))"></p>\
          <p>\(context.button("picture.save", to: image.query(["number": number, "save": "yes"]), style: [.plain, .small]))</p>
          """
      })</section>
      """
  }
}

extension CertificatePage {
  /// Telephone numbers for travellers: those of the country that issued the certificate, or of the
  /// EU.
  private var contacts: HTML? {
    let countries = statements.compactMap(\.country) + [UsefulContacts.europeanUnion]
    let known = countries.filter { !context.portal.usefulContacts[$0].isEmpty }
    guard let country = known.first else { return nil }
    return """
      <section class="card">\(CertificateViews.contacts(of: country, context))</section>
      """
  }
}

/// The full-screen page of a code.
struct CertificateScreen {
  let id: ID<Certificate>
  let certificate: Certificate
  let codes: [StoredCode]
  let context: Context

  /// The page. Throws ``Refusal/notFound`` if the requested code does not exist.
  var page: Page {
    get throws {
      let asked = context.request.query["number"]
      let number = asked.isEmpty ? 1 : Int(asked)
      let code = codes.first { $0.number == number }
      guard asked.isEmpty || code != nil else { throw Refusal.notFound }
      return Page(
        "show.title",
        """
        <h1 class="hidden-text">\(context.text("show.title"))</h1>\
        \(code.map(shown) ?? image)\
        <p class="name"><bdi>\(CertificateViews.name(certificate.label, context))</bdi></p>\
        \(others)\
        \(actions:
          context.button("show.close", to: "/vaccination-qr/\(id)", style: .secondary))
        """, width: .screen, hasOwnHeading: true)
    }
  }

  private func shown(_ code: StoredCode) -> HTML {
    code.grid?.svg(label: context.text("code.label")) ?? image
  }

  /// The first page of the certificate, for a certificate without a code that can be drawn.
  private var image: HTML {
    """
    <img src="/vaccination-qr/\(id)/image" alt="\(context.text("picture.page", ["number": "1"]))">
    """
  }

  private var others: HTML? {
    guard codes.count > 1 else { return nil }
    let page: Path = "/vaccination-qr/\(id)/show"
    return context.tabs(
      "show.codes", codes.map(\.number), current: nil, content: { "\($0)" },
      to: { page.query(["number": String($0)]) })
  }
}

extension CertificatePages {
  /// Returns the dashboard card of the first certificate, with a link to its full-screen page.
  static func card(_ context: Context) throws -> HTML? {
    guard let first = try Certificate.first(in: context) else { return nil }
    let stored = try Certificate.files.find(CertificateFile.grid(1).name, of: first.id, in: context)
    let grid = try stored.map(ModuleGrid.init)
    return """
      <a class="qr small" href="/vaccination-qr/\(first.id)/show">\
      \(grid?.svg(label: context.text("show.button")))</a>\
      <p><bdi>\(CertificateViews.name(first.label, context))</bdi></p>\
      \(context.moreLink("card.more", to: "/vaccination-qr"))
      """
  }
}
