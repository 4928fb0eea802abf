import PolyclinicCore

/// The content of a code: its kind, its statements, and the result of its verification.
struct CodeStatements {
  private let payload: [UInt8]
  private let code: Code
  /// The result of the verification; nil if the code is not a certificate.
  private let verification: Verification?
  private let sections: [StatementSection]
  private let context: Context

  /// Reads codes and verifies them with the stored keys.
  static func all(of payloads: [[UInt8]], _ context: Context) throws -> [CodeStatements] {
    let codes = payloads.map { Code($0) }
    var verified = try Verification.all(of: codes.compactMap(\.certificate), in: context)[...]
    return zip(payloads, codes).map { payload, code in
      CodeStatements(
        payload: payload, code: code,
        verification: code.certificate == nil ? nil : verified.popFirst(),
        sections: code.certificate?.sections ?? [], context: context)
    }
  }

  /// The kind, the state of its signature, and in a few lines what it says.
  var html: HTML {
    let signature = verification?.sentences(in: context.formats.timeZone).first.map {
      "<p class=\"secondary-text\">\(context.text($0))</p>" as HTML
    }
    return "<h2>\(context.text(code.title))</h2>\(content)\(signature)\(summary)"
  }

  /// The state of the certificate as a badge; nil for a code that is not a certificate.
  var badge: HTML? {
    guard let state = verification?.state else { return nil }
    let tone: HTML.BadgeTone =
      switch state {
      case .revoked, .invalid: .danger
      case .expired, .ahead: .waiting
      case .valid: .good
      case .unchecked: .neutral
      }
    return state == .expired
      ? context.expiryBadge(code.certificate?.validity.lastDay)
        ?? context.badge("certificate.state.expired", tone)
      : context.badge(Text("certificate.state.\(state.rawValue)"), tone)
  }

  /// All statements, and the result of the verification.
  var details: HTML { "\(each: sections, section)\(trust)" }

  /// The statements of the summary, in this order.
  private static let summarized = [
    "disease", "product", "vaccine-code", "dose", "vaccinated-on", "result", "sampled-at",
    "first-positive",
  ]

  /// The name, the disease, the dose, the date and the expiry; nil for a code that is not a
  /// certificate.
  private var summary: HTML? {
    guard let certificate = code.certificate else { return nil }
    let subjects = sections.filter { $0.name != "person" && $0.name != "certificate" }
    let facts = subjects.flatMap { subject in
      Self.summarized.compactMap { name in
        subject.statements.first { $0.name == name }.map { statement in
          HTML.Fact(
            statement.label, "<bdi>\(statement.value.words(in: context.formats))</bdi>")
        }
      }
    }
    let expiry: HTML? = certificate.validity.lastDay.map { "\(context.formats.shortDate($0))" }
    return context.facts(
      [HTML.Fact("certificate.holder", text: certificate.holder.name)] + facts
        + [HTML.Fact("certificate.expiry", expiry)])
  }

  /// The content of a code that is not a certificate.
  private var content: HTML? {
    switch code {
    case .unreadable(_, let fault): "<p>\(context.text(fault.text))</p>"
    case .link(let link): "<p class=\"payload\"><bdi dir=\"ltr\">\(link.address)</bdi></p>"
    case .plainText(let text): "<p class=\"payload\"><bdi>\(text)</bdi></p>"
    default: nil
    }
  }

  private func section(_ section: StatementSection) -> HTML {
    """
    <h3>\(context.text(section.heading))</h3>\
    \(context.facts(section.statements.map(statement)))
    """
  }

  private func statement(_ statement: Statement) -> HTML.Fact {
    let code: HTML? = statement.value.code.map {
      " <span class=\"muted\"><bdi dir=\"ltr\">\($0)</bdi></span>"
    }
    return HTML.Fact(
      statement.label, "<bdi>\(statement.value.words(in: context.formats))</bdi>\(code)")
  }

  private var trust: HTML? {
    guard let verification else { return nil }
    let sentences = verification.sentences(in: context.formats.timeZone)
    return """
      <h3>\(context.text("trust.title"))</h3>\
      <ul>\(each: sentences, { "<li>\(context.text($0))</li>" })</ul>\
      <p class="hint">\(context.text("trust.note"))</p>
      """
  }

  /// True if the certificate can fill in the form of a vaccination record.
  var certifiesVaccination: Bool { sections.contains { $0.name == "vaccination" } }

  /// The payload, the kind, the statements and the verification.
  var json: JSON {
    var members: [JSON.Member] = [
      .init("payload", .string(String(decoding: payload, as: UTF8.self))),
      .init("kind", .string(code.kind)),
      .init(
        "statements",
        .array(
          sections.map { section in
            .object(
              [.init("section", .string(section.name))]
                + section.statements.map { .init($0.name, $0.value.json) })
          })),
    ]
    if let verification { members.append(.init("trust", verification.json)) }
    return .object(members)
  }
}
