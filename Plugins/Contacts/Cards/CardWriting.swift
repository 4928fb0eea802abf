import PolyclinicCore
import PolyclinicFormats

extension Contact {
  /// Writes the contact as a vCard 4.0 (RFC 6350). Imported lines are written unchanged while their
  /// fields still have the same value.
  func write(to lines: inout ContentLineWriter, uid: String, at now: Instant?) {
    lines.write("BEGIN", "VCARD")
    lines.write("VERSION", "4.0")
    lines.write("PRODID", "-//Polyclinic//Polyclinic//EN")
    lines.write("UID", text: uid)
    for line in properties { lines.write(line) }
    if let now { lines.write("REV", now.basicText) }
    lines.write("END", "VCARD")
  }

  /// The lines of the card that describe the contact. Equal contacts have equal lines.
  var properties: [ContentLine] {
    var sources = SourceLines(
      ContactCard.lines(card.sources) + ContactCard.lines(card.joinedSources))
    var lines = [sources.line(for: .text("FN", name)) ?? .made("FN", [name])]
    lines.append(sources.parts(of: name) ?? .made("N", ["", name, "", "", ""]))
    if let birthday {
      let time = sources.line(for: .birthday(birthday)).flatMap(CardDate.time) ?? ""
      lines.append(ContentLine("BDAY", value: ((CardDate.day(birthday).written ?? "") + time).utf8))
    }
    for method in methods {
      lines.append(sources.line(for: .way(method.type, method.value)) ?? method.line)
    }
    for field in TextField.inCard where !self[field].isEmpty {
      let made = ContentLine.made(field.property, field.components(self[field]))
      lines.append(sources.line(for: .text(field.property, self[field])) ?? made)
    }
    return lines + extras(beside: lines)
  }

  /// Returns the lines that no field holds. Leaves out those of a property that a card has once if
  /// the contact's fields hold it, and labels (`X-ABLabel`) of missing lines.
  private func extras(beside lines: [ContentLine]) -> [ContentLine] {
    let extras = card.allExtras
    let groups = Set((lines + extras.filter { $0.name != "X-ABLABEL" }).map(\.group))
    return extras.filter { line in
      if ContactCard.single.contains(line.name),
        let held = lines.first(where: { $0.name == line.name })
      {
        return line.isAlternative(of: held)
      }
      return line.name != "X-ABLABEL" || groups.contains(line.group)
    }
  }
}

/// The imported lines of a contact's fields. Each is written at most once.
private struct SourceLines {
  private var lines: [(field: CardField, line: ContentLine)]
  /// The formatted name that the name components belong to; nil if the card had components only.
  private let name: String?

  init(_ lines: [ContentLine]) {
    self.lines = lines.compactMap { line in CardField(line).map { ($0, line) } }
    name =
      self.lines.lazy.compactMap { line in
        if case .text("FN", let name) = line.field { name } else { nil }
      }.first
  }

  /// Removes and returns the name components if they belong to this name.
  mutating func parts(of name: String) -> ContentLine? {
    guard let line = line(for: .parts) else { return nil }
    return (self.name ?? CardReading.name(of: line)) == name ? line : nil
  }

  mutating func line(for field: CardField) -> ContentLine? {
    guard let index = lines.firstIndex(where: { $0.field == field }) else { return nil }
    return lines.remove(at: index).line
  }
}

extension CommunicationMethod {
  /// The contact method as a new line (RFC 6350, 6.4 and 6.7.8).
  var line: ContentLine {
    switch type {
    case .phone: .made("TEL", [value])
    case .email: .made("EMAIL", [value])
    case .messenger:
      // Keeps a value that already is a URI, and turns a bare name into one (RFC 3860).
      ContentLine(
        "IMPP", value: (Self.isAddress(value) ? value : "im:\(percentEncoded(value))").utf8)
    case .web: ContentLine("URL", value: Self.address(OutsideLink.web(value)?.description ?? value))
    case .other: .made(CardField.otherWay, [value])
    }
  }

  /// Percent-encodes the bytes that no URI may contain.
  private static func address(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte in
      (0x21...0x7E).contains(byte)
        ? [byte] : Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
    }
  }

  /// True if the value is a scheme followed by text without white space (RFC 3986, 3.1).
  private static func isAddress(_ value: String) -> Bool {
    let parts = value.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let first = parts[0].utf8.first, (97...122).contains(first | 0x20)
    else {
      return false
    }
    return parts[0].utf8.allSatisfy {
      (97...122).contains($0 | 0x20) || (48...57).contains($0) || "+-.".utf8.contains($0)
    } && !value.contains(where: \.isWhitespace)
  }
}

extension ContentLine {
  fileprivate static func made(_ name: String, _ components: [String]) -> ContentLine {
    ContentLine(name, value: components.map(escaped).joined(separator: [UInt8(ascii: ";")]))
  }
}
