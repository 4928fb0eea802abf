import Foundation
import Glibc
import PolyclinicCore

/// Fetches files by curl, a process of its own, so that no process of the portal links an HTTP client.
struct Download {
  /// The proxy's address; empty for none.
  let proxy: String
  /// The end of the time for all files of a source and all their redirects: other jobs wait meanwhile.
  var deadline = ContinuousClock.now + .seconds(180)
  /// Bytes of one file, decompressed, since that is what is written.
  var byteLimit = FigureFile.byteLimit

  private static let redirectLimit = 3
  private static let program = "/usr/bin/curl"

  /// Writes what an address with `https` answers to the file; throws ``RefreshFailed``.
  ///
  /// The media type decides nothing, since mirrors name several for the same file: the reader of the source
  /// refuses what is not its own.
  func run(_ address: String, to file: UnnamedFile) throws {
    var address = address
    for _ in 0...Self.redirectLimit {
      switch try fetch(address, to: file) {
      case .file: return
      case .redirect(let next):
        // The same host has to show the same certificate, to whatever address its name leads.
        guard let host = Self.host(of: next), host == Self.host(of: address) else {
          throw RefreshFailed(.elsewhere)
        }
        address = next
      }
    }
    throw RefreshFailed(.refused, "more than \(Self.redirectLimit) redirects")
  }

  /// The source's answer to one request.
  private enum Answer {
    case file
    /// To this address; empty where none was named.
    case redirect(String)
  }

  /// Fetches without following anything.
  private func fetch(_ address: String, to file: UnnamedFile) throws -> Answer {
    guard
      ["/usr/bin/setpriv", Self.program].allSatisfy(
        FileManager.default.isExecutableFile(atPath:))
    else { throw RefreshFailed(.missingProgram) }
    let rest = (deadline - .now).components.seconds
    guard rest > 0 else { throw RefreshFailed(.slow) }
    file.empty()
    let (status, said) = try run(options(seconds: rest) + ["--", address], to: file)
    guard status == 0 else { throw failure(of: status, file) }
    let words = said.split(separator: " ", maxSplits: 1)
    switch words.first.flatMap({ Int($0) }) {
    case 200: return .file
    case 301, 302, 303, 307, 308: return .redirect(words.dropFirst().first.map(String.init) ?? "")
    case let other: throw RefreshFailed(.refused, other.map { "HTTP status \($0)" } ?? "")
    }
  }

  private func options(seconds: Int64) -> [String] {
    let options = [
      // First, as curl demands: no file of the user's changes what is asked.
      "--disable", "--silent", "--proto", "=https", "--compressed",
      "--max-filesize", "\(byteLimit)", "--max-time", "\(seconds)", "--connect-timeout", "15",
      "--speed-limit", "2000", "--speed-time", "20",
      "--write-out", "%{stderr}%{http_code} %{redirect_url}",
    ]
    return proxy.isEmpty ? options : options + ["--proxy", proxy]
  }

  /// The reason for an exit status of curl (curl(1), EXIT CODES), or of a shell for a signal.
  private func failure(of status: Int32, _ file: UnnamedFile) -> RefreshFailed {
    let reason: RefreshFailure =
      switch status {
      case 5, 6: .unknownHost
      case 7, 16, 18, 52, 55, 56, 92, 97: .unreachable
      case 28: .slow
      case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91: .certificate
      case 63, 128 + SIGXFSZ: .large
      case 61: .unreadable
      case 22, 47: .refused
      case 127: .missingProgram
      // A size that the process may not write looks like a disk that is full.
      case 23: file.size < byteLimit ? .noRoom : .large
      default: .failed
      }
    return RefreshFailed(reason, "curl ended with \(status)")
  }

  private static func host(of address: String) -> String? {
    guard let parts = URLComponents(string: address), parts.scheme == "https" else { return nil }
    return parts.host.map { "\($0.lowercased()):\(parts.port ?? 443)" }
  }

  /// More than the longest address that curl takes from a header, which is 100 kB.
  private static let outputLimit = 1 << 18
  /// Curl's own memory in kilobytes: a compressed answer may ask for a window of 128 MB.
  private static let memoryLimit = 64 << 10

  /// Runs curl to its end; returns its exit status, as shells count, and what it wrote beside the file.
  private func run(
    _ options: [String], to file: UnnamedFile
  ) throws -> (status: Int32, output: String) {
    // The shell bounds what is written: curl does not know the size of what it decompresses.
    let script = "ulimit -f \(byteLimit / 512); ulimit -d \(Self.memoryLimit); exec \"$@\""
    // Curl ends with this process, and does not go on fetching when that is killed.
    let program = ChildProgram(
      ["/usr/bin/setpriv", "--pdeathsig", "KILL", "/bin/sh", "-c", script, "sh", Self.program]
        + options)
    let (status, output) = try program.run(into: file.handle, outputLimit: Self.outputLimit)
    return (status, String(decoding: output, as: UTF8.self))
  }
}
