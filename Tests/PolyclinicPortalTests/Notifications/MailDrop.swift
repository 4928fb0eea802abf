import Foundation
import Testing

/// A mail command for tests: a script that saves each message to a file.
final class MailDrop {
  let directory = NSTemporaryDirectory() + "polyclinic mail-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    try Data(
      """
      #!/bin/sh
      # $1: where messages are kept; $2, $3: what the configured command says besides
      echo "someone@example.org: said on standard output"
      echo "someone@example.org: said on standard error" >&2
      count=$(ls "$1" | grep -c eml)
      cat > "$1/$count.eml"
      if test -f "$1/fail"; then exit 75; fi
      if test -f "$1/hang"; then sleep 60 & wait; fi
      echo "$2|$3" > "$1/arguments"

      """.utf8
    ).write(to: URL(filePath: directory + "/command"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: directory + "/command")
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: directory) } catch { print("\(error)") }
  }

  var command: String { "\"\(directory)/command\" \"\(directory)\" -t \"two words\"" }

  /// Makes the command fail (`fail`) or never end (`hang`).
  func begin(to behave: String) throws {
    try Data().write(to: URL(filePath: directory + "/" + behave))
  }

  func stop(to behave: String) throws {
    try FileManager.default.removeItem(atPath: directory + "/" + behave)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: directory + "/" + name, encoding: .utf8)
  }

  /// Returns the messages in order of arrival.
  func messages() throws -> [ReadMessage] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".eml") }
    return try (0..<names.count).map { ReadMessage(try read("\($0).eml")) }
  }
}

/// A parsed e-mail message, or one part of it.
struct ReadMessage {
  let raw: String
  /// The header values by name, unfolded and with encoded words decoded.
  let headers: [String: String]
  let parts: [ReadMessage]
  private let body: String

  init(_ raw: String) {
    self.raw = raw
    let end = raw.range(of: "\r\n\r\n")
    let head = raw[..<(end?.lowerBound ?? raw.endIndex)].replacing("\r\n ", with: " ")
    var headers: [String: String] = [:]
    for line in head.split(separator: "\r\n") {
      let pair = line.split(separator: ":", maxSplits: 1)
      #expect(headers[String(pair[0])] == nil, "twice: \(pair[0])")
      headers[String(pair[0])] = Self.decoded(String(pair.count > 1 ? pair[1].dropFirst() : ""))
    }
    self.headers = headers
    let content = end.map { String(raw[$0.upperBound...]) } ?? ""
    body = content
    let boundary = headers["Content-Type"]?.split(separator: "boundary=\"").dropFirst().first?
      .split(separator: "\"").first
    parts =
      boundary.map { boundary in
        content.components(separatedBy: "--\(boundary)").dropFirst().dropLast()
          .map { ReadMessage(String($0.dropFirst(1))) }
      } ?? []
  }

  /// The body, decoded if it is base64.
  var text: String {
    guard headers["Content-Transfer-Encoding"] == "base64",
      let data = Data(base64Encoded: body, options: .ignoreUnknownCharacters)
    else { return body }
    return String(decoding: data, as: UTF8.self)
  }

  private static func decoded(_ value: String) -> String {
    var text = ""
    for word in value.replacing("?= =?", with: "?==?").components(separatedBy: "=?utf-8?B?") {
      guard let end = word.range(of: "?="),
        let data = Data(base64Encoded: String(word[..<end.lowerBound]))
      else {
        text += word
        continue
      }
      text += String(decoding: data, as: UTF8.self) + word[end.upperBound...]
    }
    return text
  }
}
