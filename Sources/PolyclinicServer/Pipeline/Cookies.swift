import PolyclinicCore

/// Reads a `Cookie` header and writes `Set-Cookie` ones (RFC 6265).
enum Cookies {
  /// The session of a visitor who has signed in.
  static let session = "__Host-session"
  /// The language of a visitor who has not signed in; the web server's error pages read it too. Earlier
  /// releases called it `language`, which a neighbouring host could set: that one is not read.
  static let language = "__Host-language"

  /// The name of a module's cookie.
  static func name(_ name: String, of module: ModuleID) -> String { "__Host-\(module)-\(name)" }

  /// The value of the first cookie of that name.
  static func value(_ name: String, in header: String) -> String? {
    var (name, header) = (name, header)
    // Bytes throughout: comparing characters took a tenth of a page.
    return header.withUTF8 { header in
      name.withUTF8 { name in value(name, in: header) }
    }
  }

  private static func value(
    _ name: UnsafeBufferPointer<UInt8>, in header: UnsafeBufferPointer<UInt8>
  ) -> String? {
    var rest = header[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
      if pair.starts(with: name), pair.dropFirst(name.count).first == UInt8(ascii: "=") {
        return String(decoding: pair.dropFirst(name.count + 1), as: UTF8.self)
      }
      rest = rest[end...].dropFirst()
    }
    return nil
  }

  /// A cookie that scripts do not see and other sites' forms do not send; it goes with the browser
  /// unless `age` says how long it stays.
  static func set(_ name: String, _ value: String, age: Seconds? = nil) -> String {
    let stays = age.map { "; Max-Age=\($0.count)" } ?? ""
    return "\(name)=\(value); Path=/; Secure; HttpOnly; SameSite=Lax\(stays)"
  }

  static func removing(_ name: String) -> String {
    set(name, "", age: .seconds(0))
  }
}
