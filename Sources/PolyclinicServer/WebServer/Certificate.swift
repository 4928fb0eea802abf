import Glibc
import PolyclinicSystem

/// The certificate of a first run. It is self-signed, so browsers warn before they trust it.
struct Certificate {
  let path: String
  let keyPath: String
  let host: String

  /// The longest validity that Safari accepts (Apple, "Requirements for trusted certificates",
  /// HT210176).
  private static let days = 825

  /// Creates both files with openssl if both are missing.
  ///
  /// Throws ``FirstRunError`` if only one of them exists, or if openssl is missing or fails.
  func makeIfMissing(environment: [String: String]) throws {
    switch (FilePath.exists(path), FilePath.exists(keyPath)) {
    case (true, true): return
    // A power cut came between the two renames, so the draft belongs to this key.
    case (false, true) where FilePath.exists(draft(path)): try putInPlace(path)
    case (false, false): try make(environment: environment)
    default:
      throw FirstRunError(
        "Of \(path) and \(keyPath) only one is there. "
          + "Put the other back, or remove it to have both made anew.")
    }
  }

  private func make(environment: [String: String]) throws {
    let openssl = try Program.path(of: "openssl", environment: environment)
    let request = Program(
      path: openssl,
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-sha256", "-days", String(Self.days), "-subj", "/CN=\(commonName)", "-addext",
        "subjectAltName=\(alternativeNames)", "-addext", "extendedKeyUsage=serverAuth", "-addext",
        "basicConstraints=critical,CA:FALSE", "-batch", "-keyout", draft(keyPath),
        "-out", draft(path),
      ], environment: environment)
    guard try ChildProcess("openssl", request).wait() == 0 else {
      throw FirstRunError("openssl could not make the certificate \(path): see above.")
    }
    for path in [keyPath, path] {
      try OpenFile(draft(path), O_RDONLY).synchronize()
      try OpenFile.synchronize(directory: FilePath.directory(of: path))
    }
    try putInPlace(keyPath)
    try putInPlace(path)
  }

  /// The path of a file until the disk has all of it, because an empty file would keep nginx from
  /// starting.
  private func draft(_ path: String) -> String { path + ".new" }

  private func putInPlace(_ path: String) throws {
    guard rename(draft(path), path) == 0 else { throw SystemError("rename", on: path) }
    try OpenFile.synchronize(directory: FilePath.directory(of: path))
  }

  /// The common name of the certificate, which holds at most 64 characters (RFC 5280,
  /// ub-common-name).
  private var commonName: String { host.utf8.count <= 64 ? host : "polyclinic" }

  private var alternativeNames: String {
    var names = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
    if host.hasPrefix("[") {
      names.append("IP:\(host.dropFirst().dropLast())")
    } else if host.allSatisfy({ $0.isNumber || $0 == "." }) {
      names.append("IP:\(host)")
    } else {
      names.append("DNS:\(host)")
    }
    var unique: [String] = []
    for name in names where !unique.contains(name) { unique.append(name) }
    return unique.joined(separator: ",")
  }
}
