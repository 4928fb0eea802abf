import Glibc

/// Makes the frames of an answer.
struct Answer {
  private(set) var frames = Frames()
  private var search: QRSearch

  init() throws(Refusal) { search = try QRSearch() }

  mutating func add(_ input: Input) throws {
    switch input {
    case .image(let bytes): try addImage(bytes)
    case .portrait(let bytes): try addPortrait(bytes)
    case .text(let payload):
      // 7089 digits are the most that a QR code holds.
      if payload.count > 7089 { throw Refusal.tooLarge }
      try addCode(payload)
    }
  }

  private mutating func addImage(_ sent: [UInt8]) throws {
    let input = Self.withoutMark(sent)
    switch try Format(of: input) {
    case .picture(let format):
      try Limits.boundPictures()
      try addPicture(input, format)
    case .pdf:
      let document = try Document(input)
      for number in 1...document.shownPages {
        let page = try document.page(number)
        try addPage(page, search.payloads(on: page), isLossy: false)
      }
      if document.hasMore { frames.append(.more) }
    }
  }

  /// The side of a portrait: twice that of an avatar in a list.
  private static let portraitSide = 96

  /// Adds the middle of a picture as a small square, and looks for no codes.
  private mutating func addPortrait(_ sent: [UInt8]) throws {
    let input = Self.withoutMark(sent)
    guard case .picture(let format) = try Format(of: input) else { throw Refusal.unsupported }
    try Limits.boundPictures()
    let square = try Picture.read(input, format).picture.square(of: Self.portraitSide)
    frames.append(.page, try square.file(isLossy: true, quality: 85))
  }

  /// Removes a byte order mark and blanks, which some programs write before a file of any kind. No
  /// format begins with one of these bytes.
  private static func withoutMark(_ input: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20]
    guard let first = input.first, mark.contains(first) else { return input }
    return Array(input.drop(while: mark.contains))
  }

  /// Adds a picture on white, or on black if only that shows its codes: one of white modules on a
  /// transparent ground.
  private mutating func addPicture(
    _ input: [UInt8], _ format: PictureHeader.Format
  ) throws(Refusal) {
    var (page, header) = try Picture.read(input, format)
    var payloads = search.payloads(on: page)
    if payloads.isEmpty, header.isTransparent {
      let other = try Picture.read(input, format, on: .black).picture
      payloads = search.payloads(on: other)
      if !payloads.isEmpty { page = other }
    }
    try addPage(page, payloads, isLossy: header.isLossy)
  }

  private mutating func addPage(
    _ page: Picture, _ payloads: [[UInt8]], isLossy: Bool
  ) throws(Refusal) {
    frames.append(.page, try page.file(isLossy: isLossy, quality: 90))
    let thumbnail = try page.fitted(to: 320)
    frames.append(.thumbnail, try thumbnail.file(isLossy: isLossy, quality: 75))
    for payload in payloads { try addCode(payload) }
  }

  /// Adds a code, and its drawing where libzbar reads the same bytes from that.
  private mutating func addCode(_ payload: [UInt8]) throws(Refusal) {
    frames.append(.code, payload)
    guard let drawing = QRDrawing(payload), let png = try drawing.picture().png() else { return }
    let readBack = GreyPicture(try Picture.read(png, .png).picture)
    guard search.reader.codes(on: readBack).map(\.payload) == [payload] else { return }
    frames.append(.grid, drawing.grid)
    frames.append(.drawing, png)
  }
}

/// The frames of one answer: four letters, the length as a big-endian UInt32, the bytes.
struct Frames {
  enum Name: String {
    case page = "PAGE"
    case thumbnail = "THUM"
    case code = "CODE"
    case grid = "GRID"
    case drawing = "DRAW"
    case more = "MORE"
    case failure = "FAIL"
  }

  private(set) var bytes: [UInt8] = []

  init() {}

  init(_ refusal: Refusal) { append(.failure, Array(refusal.rawValue.utf8)) }

  mutating func append(_ name: Name, _ content: [UInt8] = []) {
    bytes += name.rawValue.utf8
    withUnsafeBytes(of: UInt32(content.count).bigEndian) { bytes += $0 }
    bytes += content
  }

  /// Writes all frames to standard output. False when the reader has gone.
  func write() -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}

extension Slice where Base == UnsafeRawBufferPointer {
  fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress?.advanced(by: startIndex) }
}

/// A reason for which the program makes nothing of its input; the caller has a sentence for each.
enum Refusal: String, Error {
  case empty, unsupported, heic, damaged, animated, password, slow, busy
  case tooManyPixels = "too-many-pixels"
  case tooLarge = "too-large"
}

/// A failure of the machine, not of the input, such as a limit that cannot be set. The program ends
/// with status 2 and decodes nothing.
struct Failure: Error {}
