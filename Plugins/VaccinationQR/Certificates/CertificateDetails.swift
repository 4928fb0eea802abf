import PolyclinicCore

extension VaccinationQRModule {
  func details(_ context: Context) throws -> Response {
    let id: ID<Certificate> = try context.id()
    let details = try context.database.read { connection in
      let certificate = try Certificate.load(id, by: context.keys, on: connection)
      let codes = try certificate.storedCodes(of: id, by: context.keys, on: connection)
      return CertificateDetails(
        id: id, certificate: certificate, codes: codes,
        statements: try codes.map { try CodeStatements($0.payload, context, on: connection) },
        context: context)
    }
    return .page(details.page)
  }

  /// A code on the whole screen, for somebody who checks it.
  func show(_ context: Context) throws -> Response {
    let id: ID<Certificate> = try context.id()
    let (certificate, codes) = try context.database.read { connection in
      let certificate = try Certificate.load(id, by: context.keys, on: connection)
      return (certificate, try certificate.storedCodes(of: id, by: context.keys, on: connection))
    }
    let screen = CertificateScreen(id: id, certificate: certificate, codes: codes, context: context)
    return .page(try screen.page)
  }
}

/// A code of a certificate, as it is stored.
struct StoredCode: Sendable {
  /// From 1.
  let number: Int
  let payload: [UInt8]
  /// Nil where the drawn code would not be read back to the same bytes.
  let grid: ModuleGrid?
}

extension Certificate {
  /// Throws ``Refusal/notFound`` where the person has none with this number.
  static func load(
    _ id: ID<Certificate>, by keys: Keys, on connection: Connection
  ) throws -> Certificate {
    guard let found = try records.find(id, by: keys, on: connection) else {
      throw Refusal.notFound
    }
    return found
  }

  /// Gives a certificate another label; throws ``Refusal/notFound`` where the person has none with this number.
  static func rename(
    _ id: ID<Certificate>, to label: String, by keys: Keys, on connection: Connection
  ) throws {
    var certificate = try load(id, by: keys, on: connection)
    certificate.label = label
    try records.replace(id, with: certificate, by: keys, on: connection)
  }

  /// Gives a certificate another place; throws as ``rename(_:to:by:on:)`` does.
  static func move(
    _ id: ID<Certificate>, to place: Int, by keys: Keys, on connection: Connection
  ) throws {
    var certificate = try load(id, by: keys, on: connection)
    certificate.place = place
    try records.replace(id, with: certificate, by: keys, on: connection)
  }

  /// The codes in their order; throws ``DecodingFailure`` where one of them is missing.
  func storedCodes(
    of id: ID<Certificate>, by keys: Keys, on connection: Connection
  ) throws -> [StoredCode] {
    try (0..<(codes ?? 0)).map { $0 + 1 }.map { number in
      func read(_ file: CertificateFile) throws -> [UInt8]? {
        try Self.files.find(file.name, of: id, by: keys, on: connection)
      }
      guard let payload = try read(.payload(number)) else { throw DecodingFailure() }
      return StoredCode(
        number: number, payload: payload, grid: try read(.grid(number)).map(ModuleGrid.init))
    }
  }
}

/// The page of one certificate: its codes with what they say, and its pictures.
struct CertificateDetails {
  let id: ID<Certificate>
  let certificate: Certificate
  let codes: [StoredCode]
  /// Of each code, in the same order.
  let statements: [CodeStatements]
  let context: Context

  private var path: Path { "/vaccination-qr/\(id)" }

  var page: Page {
    Page(
      "certificate.title",
      """
      <div class="title"><h1><bdi>\(CertificateViews.name(certificate.label, context))</bdi></h1>\
      <p class="actions"><a class="button" href="\(path)/show">\(context.text("show.button"))</a> \
      \(codes.isEmpty ? nil : printButton) \
      <a class="button secondary" href="\(path)/edit">\(context.text("edit.button"))</a> \
      <a class="button secondary" href="\(path)/clear">\(context.text("clear.button"))</a></p></div>\
      \(kept)\(each: zip(codes, statements), { code($0, $1) })\(noCode)\(pictures)\(contacts)
      """, back: "", width: .wide, hasOwnHeading: true)
  }

  private var printButton: HTML {
    let page: Path = "/vaccination-qr/print"
    return """
      <a class="button secondary" href="\(page.query(["certificate": id.description]))">\
      \(context.text("print.button"))</a>
      """
  }

  private var kept: HTML? {
    let word = context.request.query["kept"]
    guard !word.isEmpty else { return nil }
    let text: Text = word == "part" ? "kept.part" : "kept.done"
    return "<div class=\"notice success\" role=\"status\"><p>\(context.text(text))</p></div>"
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
      <p class="actions"><a class="button secondary" href="\(from)">\
      \(context.text("record.fill"))</a></p>
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
      <p class="actions"><a class="button plain small" href="\(png.query(saved))">\
      \(context.text("code.save-png"))</a> \
      <a class="button plain small" href="\(svg.query(saved))">\
      \(context.text("code.save-svg"))</a></p>
      """
  }

  private var noCode: HTML? {
    guard codes.isEmpty else { return nil }
    return """
      <div class="notice"><p>\(context.text("code.none"))</p>\
      <p>\(context.text("code.none.hint"))</p></div>
      """
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
          <p><a class="button plain small" href="\(image.query(["number": number, "save": "yes"]))">\
          \(context.text("picture.save"))</a></p>
          """
      })</section>
      """
  }
}

extension CertificateDetails {
  /// Numbers to call, where somebody travels: of the country that issued the certificate, and of the whole EU.
  private var contacts: HTML? {
    let countries = statements.compactMap(\.country) + [UsefulContacts.europeanUnion]
    let known = countries.filter { !context.portal.usefulContacts[$0].isEmpty }
    guard let country = known.first else { return nil }
    return """
      <section class="card"><h2>\(context.text("contacts.of")) \
      <bdi>\(context.usefulContactsName(of: country))</bdi></h2>\
      \(context.usefulContacts(of: country))</section>
      """
  }
}

/// A code on the whole screen.
struct CertificateScreen {
  let id: ID<Certificate>
  let certificate: Certificate
  let codes: [StoredCode]
  let context: Context

  /// Throws ``Refusal/notFound`` for a code that is not there.
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
        \(others)<p class="actions"><a class="button secondary" href="/vaccination-qr/\(id)">\
        \(context.text("show.close"))</a></p>
        """, width: .screen, hasOwnHeading: true)
    }
  }

  private func shown(_ code: StoredCode) -> HTML {
    code.grid?.svg(label: context.text("code.label")) ?? image
  }

  /// The picture itself, of which no code was read.
  private var image: HTML {
    """
    <img src="/vaccination-qr/\(id)/image" alt="\(context.text("picture.page", ["number": "1"]))">
    """
  }

  private var others: HTML? {
    guard codes.count > 1 else { return nil }
    let page: Path = "/vaccination-qr/\(id)/show"
    return """
      <nav class="segments" aria-label="\(context.text("show.codes"))">\(each: codes, { code in
        "<a href=\"\(page.query(["number": String(code.number)]))\">\(code.number)</a> "
      })</nav>
      """
  }
}

extension VaccinationQRModule {
  /// The first certificate on the dashboard, one tap from the whole screen.
  func card(_ context: Context) throws -> HTML? {
    try context.database.read { connection in
      guard let first = try Certificate.first(by: context.keys, on: connection) else { return nil }
      let stored = try Certificate.files.find(
        CertificateFile.grid(1).name, of: first.id, by: context.keys, on: connection)
      let grid = try stored.map(ModuleGrid.init)
      return """
        <a class="qr small" href="/vaccination-qr/\(first.id)/show">\
        \(grid?.svg(label: context.text("show.button")))</a>\
        <p><bdi>\(CertificateViews.name(first.label, context))</bdi></p>\
        <a class="more" href="/vaccination-qr">\(context.text("card.more"))</a>
        """
    }
  }
}
