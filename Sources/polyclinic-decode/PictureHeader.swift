/// The facts about a picture that its header tells before anything is decoded.
struct PictureHeader {
  let format: Format
  let width: Int
  let height: Int
  var orientation = Orientation.upright
  /// The picture was compressed with loss, so that a PNG of it would only be large.
  var isLossy = false
  /// The picture may have transparent parts.
  var isTransparent = false

  enum Format { case png, jpeg, webp }

  static let mostPixels = 40_000_000

  /// Checks the size before the decoder allocates memory for it.
  func checkSize() throws(Refusal) {
    guard width > 0, height > 0 else { throw .damaged }
    guard width <= Self.mostPixels, height <= Self.mostPixels / width else { throw .tooManyPixels }
  }
}

/// The format of an input by its first bytes.
enum Format {
  case picture(PictureHeader.Format)
  case pdf

  init(of input: [UInt8]) throws(Refusal) {
    let bytes = Bytes(input[...])
    if input.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .picture(.png)
    } else if input.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .picture(.jpeg)
    } else if bytes.starts(with: "RIFF"), bytes.starts(with: "WEBP", at: 8) {
      self = .picture(.webp)
    } else if (0...1024).contains(where: { bytes.starts(with: "%PDF-", at: $0) }) {
      self = .pdf
    } else {
      throw bytes.starts(with: "ftyp", at: 4) && Self.isHEIC(bytes) ? .heic : .unsupported
    }
  }

  /// ISO/IEC 23008-12: the brands of HEVC pictures, and `mif1`, which iPhones write as well.
  private static func isHEIC(_ bytes: Bytes) -> Bool {
    let brands: [StaticString] = [
      "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1",
    ]
    return brands.contains { bytes.starts(with: $0, at: 8) }
  }
}

extension PictureHeader {
  /// Walks the markers of a JPEG to its end.
  ///
  /// libjpeg fills a truncated picture with grey, so that only the missing end marker tells.
  init(jpeg bytes: Bytes) throws(Refusal) {
    var size: (width: Int, height: Int)?
    var orientation = Orientation.upright
    var scans = 0
    var place = 2
    while let marker = Self.nextMarker(in: bytes, from: &place), marker != 0xD9 {
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      let length = try bytes.big(place, 2)
      let segment = try bytes.slice(place, length)
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        // A second size could differ from the one that libjpeg takes.
        guard size == nil else { throw .damaged }
        size = (try segment.big(5, 2), try segment.big(3, 2))
      case 0xE1 where segment.starts(with: "Exif\0\0", at: 2):
        orientation = Orientation(exif: try segment.slice(8, length - 8))
      case 0xDA: scans += 1
      default: break
      }
      // Each scan of a progressive picture costs as much as decoding a baseline one.
      guard scans <= 64 else { throw .damaged }
      place += length
    }
    guard let size, scans > 0, place <= bytes.count else { throw .damaged }
    self.init(
      format: .jpeg, width: size.width, height: size.height, orientation: orientation,
      isLossy: true)
  }

  /// Skips to the next marker and behind it. Returns nil, with a place behind the end, without one.
  private static func nextMarker(in bytes: Bytes, from place: inout Int) -> UInt8? {
    let found = bytes.all.withUnsafeBufferPointer { buffer -> Int? in
      var index = place
      while index + 1 < buffer.count {
        // 0xFF00 is data, 0xFFFF is padding.
        if buffer[index] == 0xFF, buffer[index + 1] != 0, buffer[index + 1] != 0xFF { return index }
        index += 1
      }
      return nil
    }
    place = found.map { $0 + 2 } ?? bytes.count + 1
    return found.map { bytes.all[bytes.all.startIndex + $0 + 1] }
  }
}

/// The chunks of a PNG.
struct PNGChunks {
  let header: PictureHeader
  /// The PNG without the chunks that a decoder could do without, such as compressed texts, which
  /// cost it seconds.
  let essence: [UInt8]

  /// Walks the chunks to the last.
  init(_ input: [UInt8]) throws(Refusal) {
    let bytes = Bytes(input[...])
    guard bytes.starts(with: "IHDR", at: 12) else { throw .damaged }
    var orientation = Orientation.upright
    var essence = Array(input.prefix(8))
    var place = 8
    var isLast = false
    // PNG, third edition, 11.2.1: colour types 4 and 6 have an alpha channel.
    var isTransparent = try bytes.big(25, 1) & 4 != 0
    while !isLast {
      let length = try bytes.big(place, 4)
      let chunk = try bytes.slice(place, 12 + length)
      isLast = chunk.starts(with: "IEND", at: 4)
      if chunk.starts(with: "acTL", at: 4) { throw .animated }
      if chunk.starts(with: "tRNS", at: 4) { isTransparent = true }
      if chunk.starts(with: "eXIf", at: 4) {
        orientation = Orientation(exif: try chunk.slice(8, length))
      }
      if isLast || Self.essential.contains(where: { chunk.starts(with: $0, at: 4) }) {
        essence += chunk.all
      }
      place += 12 + length
    }
    header = PictureHeader(
      format: .png, width: try bytes.big(16, 4), height: try bytes.big(20, 4),
      orientation: orientation, isTransparent: isTransparent)
    self.essence = essence
  }

  private static let essential: [StaticString] = ["IHDR", "PLTE", "tRNS", "IDAT"]
}

extension PictureHeader {
  /// Walks the chunks of a WebP (RFC 9649) to its end.
  init(webp bytes: Bytes) throws(Refusal) {
    let end = try bytes.little(4, 4) + 8
    guard end <= bytes.count else { throw .damaged }
    var header: PictureHeader?
    var orientation = Orientation.upright
    var isTransparent = false
    var place = 12
    while place + 8 <= end {
      let length = try bytes.little(place + 4, 4)
      let content = try bytes.slice(place + 8, length)
      if bytes.starts(with: "VP8X", at: place) {
        if try content[0] & 0x02 != 0 { throw .animated }
        isTransparent = try content[0] & 0x10 != 0
      } else if bytes.starts(with: "ANIM", at: place) || bytes.starts(with: "ANMF", at: place) {
        throw .animated
      } else if header != nil, bytes.starts(with: "VP8", at: place) {
        // A second size could differ from the one that libwebp takes.
        throw .damaged
      } else if bytes.starts(with: "VP8 ", at: place) {
        header = try Self.lossyWebP(content)
      } else if bytes.starts(with: "VP8L", at: place) {
        header = try Self.losslessWebP(content)
      } else if bytes.starts(with: "EXIF", at: place) {
        let prefix = content.starts(with: "Exif\0\0") ? 6 : 0
        orientation = Orientation(exif: try content.slice(prefix, content.count - prefix))
      }
      place += 8 + length + length % 2
    }
    guard var header else { throw .damaged }
    header.orientation = orientation
    header.isTransparent = header.isTransparent || isTransparent
    self = header
  }

  /// RFC 6386, 9.1: the start code, then width and height of 14 bits each.
  private static func lossyWebP(_ frame: Bytes) throws(Refusal) -> PictureHeader {
    guard try frame.big(3, 3) == 0x9D012A else { throw .damaged }
    let width = try frame.little(6, 2) & 0x3FFF
    let height = try frame.little(8, 2) & 0x3FFF
    return PictureHeader(format: .webp, width: width, height: height, isLossy: true)
  }

  /// RFC 9649, 3.4: the signature, width - 1 and height - 1 of 14 bits each, a bit for alpha.
  private static func losslessWebP(_ frame: Bytes) throws(Refusal) -> PictureHeader {
    guard try frame[0] == 0x2F else { throw .damaged }
    let sizes = try frame.little(1, 4)
    return PictureHeader(
      format: .webp, width: (sizes & 0x3FFF) + 1, height: (sizes >> 14 & 0x3FFF) + 1,
      isTransparent: sizes >> 28 & 1 == 1)
  }
}

/// The orientation of a picture as EXIF counts it: 1 is upright.
struct Orientation: Equatable {
  let number: Int

  static let upright = Orientation(number: 1)

  /// Sides change places.
  var isTransposed: Bool { number >= 5 }
}

extension Orientation {
  /// Reads the orientation from a TIFF header. A header that cannot be read says nothing.
  init(exif bytes: Bytes) {
    self = (try? Self.read(bytes)) ?? .upright
  }

  /// EXIF 2.32, 4.6: tag 0x0112 of the first directory.
  private static func read(_ bytes: Bytes) throws(Refusal) -> Orientation? {
    let isLittle = bytes.starts(with: "II")
    guard isLittle || bytes.starts(with: "MM") else { return nil }
    func number(_ offset: Int, _ length: Int) throws(Refusal) -> Int {
      isLittle ? try bytes.little(offset, length) : try bytes.big(offset, length)
    }
    let directory = try number(4, 4)
    for entry in 0..<(try number(directory, 2)) {
      let place = directory + 2 + 12 * entry
      guard try number(place, 2) == 0x0112 else { continue }
      let value = try number(place + 8, 2)
      return (1...8).contains(value) ? Orientation(number: value) : nil
    }
    return nil
  }
}
