import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem

/// A strong entity tag of a record (RFC 9110, 8.8.3), which clients send in `If-Match` with a
/// change.
enum EntityTag {
  /// Returns a tag of the record's content and version. It is a truncated SHA-256, so different
  /// states practically never share a tag.
  static func of(_ record: ResourceRecord) -> String {
    let digest = SHA256.digest(of: record.json.encoded + Array(record.version.utf8))
    return "\"" + Base64.url.text(Array(digest.prefix(15))) + "\""
  }

  /// True if the text is `*` or a comma-separated list of tags (RFC 9110, 13.1.1).
  static func isList(_ text: String) -> Bool {
    text.wholeMatch(of: /\*|(?:W\/)?"[!#-~]*"(?:[ \t]*,[ \t]*(?:W\/)?"[!#-~]*")*/) != nil
  }

  /// True if `If-Match` lists the tag or is `*`. Weak tags never match (RFC 9110, 13.1.1).
  static func matches(_ list: String, _ tag: String) -> Bool {
    let listed = list.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" } }
    return listed.contains { item in
      let item = String(item.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
      return item == "*" || item == tag
    }
  }
}
