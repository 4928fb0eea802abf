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
