import PolyclinicCore

/// The command `polyclinic vaccination-qr trust FILE…`.
enum TrustCommand {
  static let command = Command(
    "trust", "Adds keys by which signatures of certificates are verified.",
    .arguments(
      "file",
      "Certificates or public keys (DER, PEM), JWKS, DID documents, revocation lists of SMART Health Cards.",
      as: .file), run: run)

  /// Adds all files in one transaction. If one is invalid, none is added.
  private static func run(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let files = try call.files("file").map { file in
      do throws(TrustFile.Fault) { return try TrustFile(reading: file.content) } catch {
        throw Command.Failure("Nothing was added. \(file.path) is refused: \(error).")
      }
    }
    let keys = files.flatMap(\.keys)
    let lists = files.flatMap(\.revocations)
    let (added, newLists) = try portal.write { work in
      (
        try keys.filter { try $0.store(in: work) }, try lists.filter { try $0.store(in: work) }
      )
    }
    var lines = ["Keys added: \(added.count). Known before: \(keys.count - added.count)."]
    lines += issuers(of: added)
    let leftOut = files.map(\.leftOut).reduce(0, +)
    if leftOut > 0 {
      lines.append("Left out, neither P-256 nor RSA of 2048 bits or more: \(leftOut).")
    }
    if !lists.isEmpty {
      lines.append("Revocation lists stored: \(newLists.count) of \(lists.count).")
    }
    return lines
  }

  /// Returns a line for each issuer with the number of its keys.
  private static func issuers(of keys: [TrustedKey]) -> [String] {
    let groups = Dictionary(grouping: keys) { key in
      guard let owner = key.certificate else { return "no certificate" }
      return [owner.country, owner.issuer].compactMap(\.self).joined(separator: ", ")
    }
    return groups.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value.count)" }
  }
}
