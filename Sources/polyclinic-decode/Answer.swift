/// Makes the frames of an answer.
struct Answer {
  private(set) var frames = Frames()
  private var search: QRSearch

  init() throws(Refusal) { search = try QRSearch() }

  mutating func add(_ input: Input) throws {
    switch input {
    case .image(let bytes): try addImage(bytes)
    case .text(let payload):
      // 7089 digits are the most that a QR code holds.
      if payload.count > 7089 { throw Refusal.tooLarge }
      try addCode(payload)
    }
  }

  private mutating func addImage(_ input: [UInt8]) throws {
    switch try Format(of: input) {
    case .picture(let format):
      try Limits.boundPictures()
      let (page, header) = try Picture.read(input, format)
      try addPage(page, isLossy: header.isLossy)
    case .pdf:
      let document = try Document(input)
      for number in 1...document.shownPages { try addPage(document.page(number), isLossy: false) }
      if document.hasMore { frames.append(.more) }
    }
  }

  private mutating func addPage(_ page: Picture, isLossy: Bool) throws(Refusal) {
    frames.append(.page, try page.file(isLossy: isLossy, quality: 90))
    let thumbnail = try page.fitted(to: 320)
    frames.append(.thumbnail, try thumbnail.file(isLossy: isLossy, quality: 75))
    for payload in search.payloads(on: page) { try addCode(payload) }
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
