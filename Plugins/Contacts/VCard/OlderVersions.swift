import PolyclinicCore
import PolyclinicFormats

extension ContentLine {
  /// Converts a line of an older version to version 4.0: UTF-8 without encodings, and binary data
  /// as a `data:` URI. Returns a valid line unchanged.
  ///
  /// Throws ``CardFault`` if its characters cannot be decoded.
  func modern(from version: VCard.Version) throws(CardFault) -> ContentLine {
    if version == .three, let position { return position }
    let parameters = namedParameters
    func said(_ name: String) -> String? {
      parameters.first { $0.name == name }?.values.first?.uppercased()
    }
    let (encoding, charset) = (said("ENCODING"), said("CHARSET"))
    let isPlain = encoding == nil && charset == nil && !bytes.contains(where: Self.isControl)
    if version != .two, isPlain, IncomingText(bytes).text != nil { return self }
    let kept = Self.modern(parameters)
    switch encoding {
    case "B", "BASE64":
      let base64 = value.filter { !Self.isBlank($0) && !Self.isControl($0) }
      let type = mediaType(said("TYPE") ?? said("MEDIATYPE"))
      return ContentLine(
        group: group, name, kept.filter { !["TYPE", "VALUE"].contains($0.name) },
        value: Array("data:\(type);base64,".utf8) + base64)
    case "QUOTED-PRINTABLE":
      return try lettered(Self.decoded(value), in: charset, kept, version)
    default:
      return try lettered(Array(value), in: charset, kept, version)
    }
  }

  /// The latitude and longitude of version 3.0 (RFC 2426, 3.4.2) as a `geo:` URI (RFC 6350, 6.5.2);
  /// nil for any other line. Version 2.1 has the longitude first, which not all programs know; it
  /// is kept as it is.
  private var position: ContentLine? {
    guard name == "GEO" else { return nil }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0]), abs(latitude) <= 90,
      let longitude = Double(parts[1]), abs(longitude) <= 180
    else { return nil }
    return ContentLine(
      group: group, name, Self.modern(namedParameters), value: "geo:\(parts[0]),\(parts[1])".utf8)
  }

  /// This line with its quoted-printable value decoded as far as possible, to show the name of a
  /// refused card or a line that is left out.
  var withoutEncoding: ContentLine {
    func said(_ name: String) -> String? {
      namedParameters.first { $0.name == name }?.values.first?.uppercased()
    }
    guard said("ENCODING") == "QUOTED-PRINTABLE" else { return self }
    let bytes = Self.decoded(value)
    let text = String(bytes, charset: said("CHARSET") ?? "")
    return ContentLine(
      group: group, name, value: (text ?? String(decoding: bytes, as: UTF8.self)).utf8)
  }

  private func lettered(
    _ bytes: [UInt8], in charset: String?, _ parameters: [Parameter], _ version: VCard.Version
  ) throws(CardFault) -> ContentLine {
    guard let text = String(bytes, charset: charset ?? "") else {
      throw CardFault("card.letters")
    }
    var value: [UInt8] = []
    var isEscaped = false
    let isProse = version == .two && Self.prose.contains(name)
    for byte in text.withPlainLineEnds.utf8 {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): value += "\\n".utf8
      case UInt8(ascii: ",") where isProse && !isEscaped: value += "\\,".utf8
      case _ where Self.isControl(byte): break
      default: value.append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return ContentLine(group: group, name, parameters, value: value)
  }

  /// The properties in which version 2.1 does not use the comma as a separator.
  private static let prose: Set = ["FN", "N", "ADR", "ORG", "NOTE", "TITLE", "ROLE", "LABEL"]

  /// The parameters, with the names that version 2.1 leaves out filled in.
  private var namedParameters: [Parameter] {
    parameters.map { parameter in
      guard parameter.name.isEmpty else { return parameter }
      let words = parameter.values.map { $0.uppercased() }
      let isEncoding = words.allSatisfy {
        ["QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"].contains($0)
      }
      return Parameter(isEncoding ? "ENCODING" : "TYPE", parameter.values)
    }
  }

  /// Removes the parameters that version 4.0 does not have and writes `TYPE=PREF` as `PREF=1`.
  private static func modern(_ parameters: [Parameter]) -> [Parameter] {
    let types = parameters.filter { $0.name == "TYPE" }.flatMap(\.values)
    let isPreferred = types.contains { $0.uppercased() == "PREF" }
    let words = types.filter { !$0.isEmpty && !["PREF", "INTERNET"].contains($0.uppercased()) }
    let rest = parameters.filter {
      !["TYPE", "ENCODING", "CHARSET"].contains($0.name)
        && !($0.name == "VALUE" && $0.values.first?.uppercased() == "URL")
    }
    return rest + (words.isEmpty ? [] : [Parameter("TYPE", words)])
      + (isPreferred && !rest.contains { $0.name == "PREF" } ? [Parameter("PREF", ["1"])] : [])
  }

  /// The media type for an older version's name of a binary format, such as `JPEG`.
  private func mediaType(_ word: String?) -> String {
    let word = (word ?? "").lowercased()
    if word.contains("/") { return word }
    switch name {
    case "PHOTO", "LOGO": return "image/\(word.isEmpty ? "jpeg" : word)"
    case "SOUND": return "audio/\(word.isEmpty ? "basic" : word)"
    default: return "application/octet-stream"
    }
  }

  /// Decodes a quoted-printable value (RFC 2045, 6.7). Escapes an encoded semicolon, because it is
  /// not a separator.
  private static func decoded(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.count)
    var index = value.startIndex
    while index < value.endIndex {
      if value[index] == UInt8(ascii: "="), value.endIndex - index > 2,
        let byte = UInt8(String(decoding: value[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        if byte == UInt8(ascii: ";") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(value[index])
        index += 1
      }
    }
    return bytes
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
