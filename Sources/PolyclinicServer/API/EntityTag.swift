import Crypto
import PolyclinicCore

/// Says which state of a record an answer shows (RFC 9110, 8.8.3): strong, so that it may be asked for
/// before the record is changed.
enum EntityTag {
  /// Differs, all but certainly, when anything in the record differs.
  static func of(_ record: ResourceRecord) -> String {
    let digest = SHA256.hash(data: record.json.encoded + Array(record.version.utf8))
    return "\"" + Base64.url.text(Array(digest.prefix(15))) + "\""
  }

  /// Whether the text is `*`, or tags with commas between them (RFC 9110, 13.1.1).
  static func isList(_ text: String) -> Bool {
    text.wholeMatch(of: /\*|(?:W\/)?"[!#-~]*"(?:[ \t]*,[ \t]*(?:W\/)?"[!#-~]*")*/) != nil
  }

  /// Whether `If-Match` lists the tag, or takes any (RFC 9110, 13.1.1: no weak one matches).
  static func matches(_ list: String, _ tag: String) -> Bool {
    let listed = list.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" } }
    return listed.contains { item in
      let item = String(item.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
      return item == "*" || item == tag
    }
  }
}
