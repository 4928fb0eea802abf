import PolyclinicCore

/// The stored form of a text: its key and values, so that each reader sees it in their own
/// language.
extension ByteWriter {
  package mutating func write(_ text: Text) {
    write(text.key)
    write(text.module?.rawValue ?? "")
    write(text.count.map(Int64.init) ?? 0)
    write(UInt8(text.count == nil ? 0 : 1))
    write(count: text.arguments.count)
    for (name, value) in text.arguments.sorted(by: { $0.key < $1.key }) {
      write(name)
      write(value)
    }
    write(count: text.values.count)
    for (name, value) in text.values.sorted(by: { $0.key < $1.key }) {
      write(name)
      write(value)
    }
  }

  private mutating func write(_ value: Text.Value) {
    switch value {
    case .day(let date):
      write(ValueKind.day.rawValue)
      write(date)
    case .time(let instant, let zone):
      write(ValueKind.time.rawValue)
      write(instant.seconds)
      write(zone.identifier)
    case .dateTime(let instant, let zone):
      write(ValueKind.dateTime.rawValue)
      write(instant.seconds)
      write(zone.identifier)
    case .local(let local):
      write(ValueKind.local.rawValue)
      write(local.description)
    case .number(let number, let digits):
      write(ValueKind.number.rawValue)
      write(Int64(bitPattern: number.bitPattern))
      write(count: digits)
    case .quantity(let number, let digits, let unit):
      write(ValueKind.quantity.rawValue)
      write(Int64(bitPattern: number.bitPattern))
      write(count: digits)
      write(unit)
    case .text(let text):
      write(ValueKind.text.rawValue)
      write(text)
    case .name(let names):
      write(ValueKind.name.rawValue)
      write(count: names.count)
      for (language, name) in names.sorted(by: { $0.key.code < $1.key.code }) {
        write(language.code)
        write(name)
      }
    }
  }
}

extension ByteReader {
  package mutating func text() throws -> Text {
    var text = Text(try string())
    let module = try string()
    text.module = module.isEmpty ? nil : ModuleID(module)
    let count = try integer()
    text.count = try byte() == 0 ? nil : Int(exactly: count)
    var arguments: [String: String] = [:]
    for _ in 0..<(try self.count()) {
      let name = try string()
      arguments[name] = try string()
    }
    text.arguments = arguments
    var values: [String: Text.Value] = [:]
    for _ in 0..<(try self.count()) {
      let name = try string()
      values[name] = try value()
    }
    text.values = values
    return text
  }

  private mutating func value() throws -> Text.Value {
    switch ValueKind(rawValue: try byte()) {
    case .day:
      guard let date = try date() else { throw DecodingFailure() }
      return .day(date)
    case .time: return .time(Instant(try integer()), try zone())
    case .dateTime: return .dateTime(Instant(try integer()), try zone())
    case .local:
      guard let local = LocalDateTime(try string()) else { throw DecodingFailure() }
      return .local(local)
    case .number:
      let number = Double(bitPattern: UInt64(bitPattern: try integer()))
      return .number(number, fractionDigits: min(try count(), 9))
    case .quantity:
      let number = Double(bitPattern: UInt64(bitPattern: try integer()))
      return .quantity(number, fractionDigits: min(try count(), 9), unit: try string())
    case .text: return .text(try text())
    case .name:
      var names: [Language: String] = [:]
      for _ in 0..<(try count()) {
        let language = Language(rawValue: try string())
        let name = try string()
        if let language { names[language] = name }
      }
      return .name(names)
    case nil: throw DecodingFailure()
    }
  }

  /// Reads a time zone. A zone that this machine no longer knows becomes UTC, because the instant
  /// stays correct.
  private mutating func zone() throws -> Zone { Zone(try string()) ?? .utc }
}

/// The first byte of a value. The numbers are stored and must never change.
private enum ValueKind: UInt8 {
  case day = 1
  case time = 2
  case dateTime = 3
  case name = 4
  case number = 5
  case local = 6
  case quantity = 7
  case text = 8
}
