/// A PDF, rendered page by page by poppler's programs.
struct Document {
  private let input: [UInt8]
  private let sizes: [Double]
  private let pages: Int

  static let mostPages = 3

  var shownPages: Int { min(pages, Self.mostPages) }
  var hasMore: Bool { pages > Self.mostPages }

  /// Reads the number of pages and their sizes.
  init(_ input: [UInt8]) throws {
    self.input = input
    let info = try ChildProgram(
      path: "/usr/bin/pdfinfo", arguments: ["-f", "1", "-l", "\(Self.mostPages)", "-"],
      errors: .withOutput
    ).run(reading: input, atMost: 1 << 20)
    let lines = String(decoding: info.bytes, as: UTF8.self).split(separator: "\n")
    guard info.status == 0 else {
      throw lines.contains { $0.hasSuffix("Incorrect password") } ? Refusal.password : .damaged
    }
    pages = lines.compactMap(Self.pages).last ?? 0
    sizes = lines.compactMap(Self.longerSide)
    guard pages > 0 else { throw Refusal.damaged }
  }

  /// `Pages:           2`
  private static func pages(_ line: Substring) -> Int? {
    guard line.hasPrefix("Pages:") else { return nil }
    return line.split(separator: " ").last.flatMap { Int($0) }
  }

  /// `Page    1 size:  595.28 x 841.89 pts (A4)`, in points.
  private static func longerSide(_ line: Substring) -> Double? {
    let words = line.split(separator: " ")
    guard words.count >= 6, words[0] == "Page", words[2] == "size:", words[4] == "x",
      let width = Double(words[3]), let height = Double(words[5]), (width + height).isFinite
    else { return nil }
    return max(width, height)
  }

  /// Renders a page, counted from 1.
  func page(_ number: Int) throws -> Picture {
    let size = number <= sizes.count ? sizes[number - 1] : 842
    // 200 dpi, within bounds for a page of a visiting card and for one of a poster.
    let side = Int(min(max(size * 200 / 72, 1200), 2400))
    let page = try ChildProgram(
      path: "/usr/bin/pdftoppm",
      arguments: [
        "-q", "-cropbox", "-f", "\(number)", "-l", "\(number)", "-scale-to", "\(side)", "-",
      ],
      errors: .dropped
    ).run(reading: input, atMost: 3 * 2400 * 2400 + 64)
    guard page.status == 0 else { throw Refusal.damaged }
    return try Picture(ppm: page.bytes)
  }
}

extension Picture {
  /// Reads a binary PPM of 8 bits as pdftoppm writes it: `P6`, width, height, 255, the pixels.
  convenience init(ppm bytes: [UInt8]) throws(Refusal) {
    var place = 0
    func word() -> String {
      let start = place
      while place < bytes.count, bytes[place] > 0x20 { place += 1 }
      defer { place += 1 }
      return String(decoding: bytes[start..<min(place, start + 16)], as: UTF8.self)
    }
    guard word() == "P6", let width = Int(word()), let height = Int(word()), word() == "255",
      (1...2400).contains(width), (1...2400).contains(height),
      bytes.count - place == 3 * width * height
    else { throw .damaged }
    try self.init(width: width, height: height)
    bytes.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        guard let row = image.pointee.tpixels[y] else { return }
        for x in 0..<width {
          let color =
            Int32(pixels[place]) << 16 | Int32(pixels[place &+ 1]) << 8 | Int32(pixels[place &+ 2])
          row[x] = color
          place &+= 3
        }
      }
    }
  }
}
