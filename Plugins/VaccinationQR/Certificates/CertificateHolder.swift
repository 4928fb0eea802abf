extension DecodedCertificate {
  /// The name of the person whom it is about, the given name first; empty where it says none.
  var holder: String {
    let person = sections.first { $0.name == "person" }?.statements ?? []
    func text(_ name: String) -> String? {
      guard case .text(let text)? = person.first(where: { $0.name == name })?.value else {
        return nil
      }
      return text
    }
    let parts = [text("given-name"), text("family-name")].compactMap(\.self)
    return String(parts.joined(separator: " ").prefix(200))
  }
}
