extension String {
  /// The text with `\n` in place of each CR LF.
  ///
  /// It works on bytes, because CR LF is a single `Character` and splitting long text into
  /// characters takes milliseconds.
  public var withPlainLineEnds: String {
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    guard utf8.contains(carriageReturn) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == lineFeed, bytes.last == carriageReturn { bytes.removeLast() }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
