extension DecodedCertificate {
  /// The name of the person in the certificate, the given name first; empty if it has none.
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
