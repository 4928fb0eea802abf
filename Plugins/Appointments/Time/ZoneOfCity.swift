import PolyclinicCore

extension Zone {
  /// Creates the zone with an IANA name, or with the city of one, such as `Minsk` for
  /// `Europe/Minsk`; nil if no zone or several have that city.
  init?(nameOrCity text: String) {
    if let zone = Zone(text) {
      self = zone
      return
    }
    guard text.utf8.count <= 64 else { return nil }
    let city = SearchText(text).folded
    let found = Zone.known.filter { name in
      let last = name.split(separator: "/").last.map(String.init) ?? ""
      return SearchText(last.replacing("_", with: " ")).folded == city
    }
    guard found.count == 1 else { return nil }
    self.init(found[0])
  }
}
