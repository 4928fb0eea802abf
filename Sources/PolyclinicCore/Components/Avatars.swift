extension HTML {
  /// Returns a tile with the initials of a person, in one of eight hues that depends on the name.
  /// Screen readers skip it, because the name stands beside it.
  ///
  /// ```swift
  /// "<div class=\"with-initial\">\(HTML.avatar(of: name))<strong>\(name)</strong></div>"
  /// ```
  ///
  /// A `photo` of the portal itself takes the place of the initials.
  public static func avatar(of name: String, photo: Path? = nil) -> HTML {
    if let photo {
      return """
        <img class="initial" src="\(photo)" alt="" width="96" height="96" loading="lazy">
        """
    }
    return avatar(of: name, hue: hue(of: name))
  }

  /// Returns the tile of a person in this hue.
  package static func avatar(of name: String, hue: Int) -> HTML {
    "<span class=\"initial hue-\(hue)\" aria-hidden=\"true\">\(initials(of: name))</span>"
  }

  /// Returns the link to a page about a person, with the initials and the name. It leads to `path`
  /// from the pages of a person in care, too, see ``leading(below:where:)``. The colour is `hue`, or
  /// else that of the name.
  package static func personLink(
    to path: Path, named name: String, hue: Int? = nil, isCurrent: Bool
  ) -> HTML {
    """
    <a data-as-is href="\(path)"\(attribute: " aria-current=\"true\"", if: isCurrent)>\
    \(avatar(of: name, hue: hue ?? Self.hue(of: name)))<bdi>\(name)</bdi></a>
    """
  }

  /// Returns the first letters of the first and the last word of a name, without titles such as
  /// “Dr” and without a patronymic.
  public static func initials(of name: String) -> String {
    // By bytes, because pages have dozens of names.
    var words = name.utf8.split(separator: UInt8(ascii: " ")).filter { word in
      word.last != UInt8(ascii: ".") && !titles.contains { $0.elementsEqual(word) }
    }
    if words.count > 2, let last = words.last,
      patronymics.contains(where: { last.suffix($0.count).elementsEqual($0) })
    {
      words.removeLast()
    }
    let first = initial(of: words.first ?? Substring(name).utf8)
    let second = words.count > 1 ? words.last.map(initial) : nil
    return (first + (second ?? "")).uppercased()
  }

  private static func initial(of word: Substring.UTF8View) -> String {
    let start = word.prefix(2)
    if let letter = start.first, start.allSatisfy({ $0 < 0x80 }) {
      return String(Unicode.Scalar(letter))
    }
    return String(Substring(word).prefix(1))
  }

  private static let titles = ["Dr", "Prof", "ד״ר", "ד\"ר", "פרופ׳", "פרופ'"].map { Array($0.utf8) }
  private static let patronymics = ["вич", "вна", "чна"].map { Array($0.utf8) }

  /// Returns the number of the hue: FNV-1a of the name, because `Hasher` differs in each process.
  package static func hue(of name: String) -> Int {
    var name = name
    return name.withUTF8(hue(of:))
  }

  fileprivate static func hue(of name: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = name.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return Int(hash >> 24) % hues
  }

  /// The number of colours of avatars.
  private static var hues: Int { 8 }

  /// Returns the colours of people who stand beside one another: that of each name, or the next one
  /// that nobody before has.
  package static func hues(of names: [String]) -> [Int] {
    var taken: Set<Int> = []
    return names.map { name in
      let own = hue(of: name)
      let free = (0..<hues).map { (own + $0) % hues }.first { !taken.contains($0) } ?? own
      taken.insert(free)
      return free
    }
  }
}

extension HTML.StringInterpolation {
  /// Appends ``HTML/avatar(of:photo:)`` of a name whose initials were kept with it in UTF-8, for long
  /// lists.
  public mutating func appendInterpolation(
    avatarOf name: SearchText, initials: ArraySlice<UInt8>
  ) {
    appendLiteral("<span class=\"initial hue-")
    appendInterpolation(name.withOriginal(HTML.hue(of:)))
    appendLiteral("\" aria-hidden=\"true\">")
    appendInterpolation(utf8: initials)
    appendLiteral("</span>")
  }
}

extension Portal.PatientChoice {
  /// Returns the link to a page, as it is about this person.
  public func link(to path: Path) -> HTML {
    .personLink(
      to: Path(checked: "\(prefix)\(path)"), named: name, hue: hue, isCurrent: isCurrent)
  }
}
