import PolyclinicCore
import PolyclinicFormats
import PolyclinicSystem
import PolyclinicWeb

/// An e-mail message (RFC 5322) in MIME (RFC 2045).
///
/// Text from users appears only as encoded words in headers (RFC 2047) and as base64 in bodies.
/// Neither can contain a line break, so users cannot inject headers.
struct MailMessage: Sendable {
  var from: Mailbox
  var to: MailAddress
  var subject: String
  /// Plain text with LF line endings.
  var body: String
  /// The event as a calendar reads it; nil for none. Mail programs that know invitations (RFC 6047)
  /// show it in place of the text.
  var invitation: CalendarFile?
  /// The Message-ID without angle brackets. It stays the same if the message is sent again.
  var id: String
  var date: Instant
  var language: Language

  var bytes: [UInt8] {
    let headers = [
      "From: \(sender)", "To: <\(to.text)>", "Subject: \(Self.words(subject))",
      "Date: \(Self.date(date))", "Message-ID: <\(id)>", "MIME-Version: 1.0",
      "Content-Language: \(language.code)",
      // RFC 3834: automatic responders must not answer it.
      "Auto-Submitted: auto-generated",
    ]
    let text = Self.part(
      "text/plain; charset=utf-8", Array(body.replacing("\n", with: "\r\n").utf8))
    guard let invitation else { return Array(Self.lines(headers + text).utf8) }
    // The boundary occurs in no part, because no base64 line and no header begins with two hyphens.
    let boundary = "=_\(id.prefix { $0 != "@" })"
    let calendar = Self.part(
      "text/calendar; method=\(invitation.method.rawValue); charset=utf-8",
      invitation.bytes(at: date))
    return Array(
      Self.lines(
        headers + ["Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"", ""]
          + ["--\(boundary)"] + text + ["--\(boundary)"] + calendar + ["--\(boundary)--"]
      ).utf8)
  }

  private var sender: String {
    from.name.isEmpty ? from.address.text : "\(Self.words(from.name)) <\(from.address.text)>"
  }

  private static func lines(_ lines: [String]) -> String {
    lines.map { $0 + "\r\n" }.joined()
  }

  private static func part(_ mediaType: String, _ bytes: [UInt8]) -> [String] {
    ["Content-Type: \(mediaType)", "Content-Transfer-Encoding: base64", ""] + base64Lines(bytes)
  }

  /// Returns base64 lines of 76 characters (RFC 2045, 6.8), which are 57 bytes each.
  private static func base64Lines(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 57).map {
      Base64.standard.text(Array(bytes[$0..<min($0 + 57, bytes.count)]))
    }
  }

  /// Returns header text as encoded words (RFC 2047) that never split a character. Plain text of
  /// letters, digits and a few signs stays as it is.
  static func words(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= 60
      && text.utf8.allSatisfy {
        $0.isASCIILetterOrDigit || " .'-".utf8.contains($0)
      }
    if isPlain { return text }
    var words: [String] = []
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      // Control characters such as line breaks become spaces in a header.
      let utf8 = Array(String(scalar.value < 0x20 ? " " : scalar).utf8)
      if word.count + utf8.count > wordLimit {
        words.append("=?utf-8?B?\(Base64.standard.text(word))?=")
        word = []
      }
      word += utf8
    }
    words.append("=?utf-8?B?\(Base64.standard.text(word))?=")
    return words.joined(separator: "\r\n ")
  }

  /// The most bytes in an encoded word, so that a line with the longest header name has at most 76
  /// characters.
  private static let wordLimit = 39

  /// Returns the date in the format of RFC 5322, 3.3, in UTC.
  static func date(_ instant: Instant) -> String {
    let local = LocalDateTime(instant, in: .utc)
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let second = instant.seconds - instant.seconds / 60 * 60
    let time = [local.hour, local.minute, Int(second)].map { $0 < 10 ? "0\($0)" : "\($0)" }
    let date = local.date
    return "\(days[date.daysSince1970 % 7]), \(date.day) \(months[date.month - 1]) \(date.year) "
      + "\(time.joined(separator: ":")) +0000"
  }
}
