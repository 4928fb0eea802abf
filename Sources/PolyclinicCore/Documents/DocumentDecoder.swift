import Foundation

/// The program that decodes what strangers send, beside the portal's own.
///
/// It runs in a short-lived process with little memory, little time and no network: a picture that ends it, or
/// takes it over, has not reached anybody's data.
public enum DocumentDecoder {
  /// The status with which it says that the fault is the machine's: a limit that cannot be set, or a program
  /// that is missing.
  private static let mistake: Int32 = 2

  /// The most bytes that it takes.
  public static let limit = 20 << 20
  /// No answer is longer: three pages, their thumbnails, and 24 codes.
  private static let answerLimit = 64 << 20

  /// The program's path: it stands beside the one that runs.
  static let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own.lastIndex(of: "/").map { own[...$0] } ?? "") + "polyclinic-decode"
  }()

  /// The reason for which nothing can be decoded, for the administrator; nil where it can.
  public static var problem: String? {
    FileManager.default.isExecutableFile(atPath: program)
      ? nil : "no pictures are read: \(program) is missing"
  }

  /// Decodes a PNG, JPEG, WebP or PDF, and finds its codes. Throws ``UnreadableDocument``, and what starting a
  /// program throws.
  package static func decode(_ file: [UInt8]) throws -> Document {
    if file.count > limit { throw UnreadableDocument.tooLarge }
    return try document(run("image", file))
  }

  /// Draws a code that says `payload`. Throws as ``decode(_:)`` does.
  package static func draw(_ payload: [UInt8]) throws -> QRCode {
    var frames = FrameReader(try run("text", payload))
    guard case (.code, let payload)? = try frames.next() else { throw UnreadableDocument.damaged }
    return try frames.code(payload)
  }

  private static func run(_ task: String, _ bytes: [UInt8]) throws -> [UInt8] {
    let (status, answer) = try ChildProgram([program])
      .run(input: Array("\(task)\n".utf8) + bytes, outputLimit: answerLimit)
    // Any other end lies in the file that was sent.
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

/// The program cannot work on this machine, whatever it is given.
struct DecoderFailure: Error, CustomStringConvertible {
  var description: String {
    "polyclinic-decode cannot limit itself, or poppler-utils is missing: see .ci/install"
  }
}

/// Reads the program's answer: frames of four letters, a length of four bytes (big endian), and the content.
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

  /// The next frame; nil at the end. Throws ``UnreadableDocument`` for a failure and for what is no frame.
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

  /// A code with its drawing, where that follows.
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
