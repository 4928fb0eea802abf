import Foundation
import PolyclinicCore

/// Decodes untrusted files with `polyclinic-decode`, a program beside the portal's own.
///
/// The program runs in a short-lived process with little memory, little time and no network. A file
/// that crashes the process or takes it over reaches no personal data.
public enum DocumentDecoder {
  /// The exit status for a fault of the machine: a limit that cannot be set, or a missing program.
  private static let mistake: Int32 = 2

  /// The maximum size of a file in bytes.
  public static let limit = 20 << 20
  /// The maximum size of an answer in bytes. The longest has three pages, their thumbnails, and 24
  /// codes.
  private static let answerLimit = 64 << 20

  /// The name of the program's file.
  package static let programName = "polyclinic-decode"

  /// The program's path, in the directory of the running program.
  static let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own.lastIndex(of: "/").map { own[...$0] } ?? "") + programName
  }()

  /// The reason why no file can be decoded, for the administrator; nil if files can be decoded.
  public static var problem: String? {
    FileManager.default.isExecutableFile(atPath: program)
      ? nil : "no pictures are read: \(program) is missing"
  }

  /// Decodes a PNG, JPEG, WebP or PDF, and finds its codes. Throws ``UnreadableDocument``, and the
  /// errors of starting a program.
  package static func decode(_ file: [UInt8]) throws -> Document {
    if file.count > limit { throw UnreadableDocument.tooLarge }
    return try document(run("image", file))
  }

  /// Redraws the middle of a PNG, JPEG or WebP as a square of 96 pixels. Throws like
  /// ``decode(_:)``.
  package static func portrait(_ file: [UInt8]) throws -> Picture {
    if file.count > limit { throw UnreadableDocument.tooLarge }
    guard let page = try document(run("portrait", file)).pages.first else {
      throw UnreadableDocument.damaged
    }
    return page.picture
  }

  /// Draws a code that contains `payload`. Throws like ``decode(_:)``.
  package static func draw(_ payload: [UInt8]) throws -> QRCode {
    var frames = FrameReader(try run("text", payload))
    guard case (.code, let payload)? = try frames.next() else { throw UnreadableDocument.damaged }
    return try frames.code(payload)
  }

  private static func run(_ task: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let (status, answer) = try ChildProgram([program])
      .run(input: Array("\(task)\n".utf8) + bytes, outputLimit: answerLimit)
    // Any other failure is the fault of the file.
    if status == mistake { throw DecoderFailure() }
    guard status == 0 else { throw UnreadableDocument.damaged }
    return answer
  }

  private static func document(_ answer: [UInt8]) throws -> Document {
    var frames = FrameReader(answer)
    var document = Document()
    while let (kind, bytes) = try frames.next() {
      let last = document.pages.indices.last
      switch (kind, last) {
      case (.page, _): document.pages.append(Document.Page(picture: try Picture(bytes)))
      case (.thumbnail, let last?): document.pages[last].thumbnail = try Picture(bytes)
      case (.code, let last?): document.pages[last].codes.append(try frames.code(bytes))
      case (.more, _): document.hasMorePages = true
      default: throw UnreadableDocument.damaged
      }
    }
    if document.pages.isEmpty { throw UnreadableDocument.damaged }
    return document
  }
}

/// An error: the program cannot work on this machine, for any file.
struct DecoderFailure: Error, CustomStringConvertible {
  var description: String {
    "polyclinic-decode cannot limit itself, or poppler-utils is missing: see .ci/install"
  }
}

/// Reads the program's answer. Each frame has a name of four letters, a length of four bytes (big
/// endian), and the content.
private struct FrameReader {
  enum Kind: String {
    case page = "PAGE"
    case thumbnail = "THUM"
    case code = "CODE"
    case grid = "GRID"
    case drawing = "DRAW"
    case more = "MORE"
    case failure = "FAIL"
  }

  private var rest: ArraySlice<UInt8>

  init(_ answer: [UInt8]) { rest = answer[...] }

  /// Returns the next frame; nil at the end. Throws ``UnreadableDocument`` for a failure, and for
  /// bytes that are no frame.
  mutating func next() throws -> (Kind, [UInt8])? {
    if rest.isEmpty { return nil }
    let (name, length) = (rest.prefix(4), rest.dropFirst(4).prefix(4))
    let count = length.reduce(0) { $0 << 8 | Int($1) }
    let content = rest.dropFirst(8).prefix(count)
    guard length.count == 4, content.count == count,
      let kind = Kind(rawValue: String(decoding: name, as: UTF8.self))
    else { throw UnreadableDocument.damaged }
    if kind == .failure {
      throw UnreadableDocument(rawValue: String(decoding: content, as: UTF8.self)) ?? .damaged
    }
    rest = rest.dropFirst(8 + count)
    return (kind, Array(content))
  }

  /// Returns a code with its drawing, if one follows.
  mutating func code(_ payload: [UInt8]) throws -> QRCode {
    var code = QRCode(payload: payload)
    guard rest.starts(with: Kind.grid.rawValue.utf8), let (_, grid) = try next() else {
      return code
    }
    guard let (kind, picture) = try next(), kind == .drawing else {
      throw UnreadableDocument.damaged
    }
    code.drawing = .init(grid: try ModuleGrid(grid), picture: try Picture(picture))
    return code
  }
}
