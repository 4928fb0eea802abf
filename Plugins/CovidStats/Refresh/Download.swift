import Foundation
import Glibc
import PolyclinicCore

/// Downloads files with curl in a child process, so that no process of the portal links an HTTP
/// client.
struct Download {
  /// The address of the proxy; empty for none.
  let proxy: String
  /// The deadline for all files of a source with their redirects, because other jobs wait
  /// meanwhile.
  var deadline = ContinuousClock.now + .seconds(180)
  /// The size limit of one file in bytes, after decompression because that is written to the disk.
  var byteLimit = FigureFile.byteLimit

  private static let redirectLimit = 3
  private static let program = "/usr/bin/curl"

  /// Downloads an `https` address into the file. Throws ``RefreshFailed``.
  ///
  /// It ignores the media type, because mirrors use several for the same file. The source's reader
  /// rejects invalid files.
  func run(_ address: String, to file: UnnamedFile) throws {
    var address = address
    for _ in 0...Self.redirectLimit {
      switch try fetch(address, to: file) {
      case .file: return
      case .redirect(let next):
        // Follows redirects to the same host only. That host must show the same certificate at any
        // address.
        guard let host = Self.host(of: next), host == Self.host(of: address) else {
          throw RefreshFailed(.elsewhere)
        }
        address = next
      }
    }
    throw RefreshFailed(.refused, "more than \(Self.redirectLimit) redirects")
  }

  /// The source's response to one request.
  private enum Answer {
    case file
    /// A redirect to this address; empty if the response names none.
    case redirect(String)
  }

  /// Sends one request without following redirects.
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
      // First, as curl requires it: ignores the user's configuration files.
      "--disable", "--silent", "--proto", "=https", "--compressed",
      "--max-filesize", "\(byteLimit)", "--max-time", "\(seconds)", "--connect-timeout", "15",
      "--speed-limit", "2000", "--speed-time", "20",
      "--write-out", "%{stderr}%{http_code} %{redirect_url}",
    ]
    return proxy.isEmpty ? options : options + ["--proxy", proxy]
  }

  /// Returns the failure for an exit status of curl (curl(1), EXIT CODES) or for a signal as
  /// reported by the shell.
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
      // Writing beyond the file size limit looks like a full disk.
      case 23: file.size < byteLimit ? .noRoom : .large
      default: .failed
      }
    return RefreshFailed(reason, "curl ended with \(status)")
  }

  private static func host(of address: String) -> String? {
    guard let parts = URLComponents(string: address), parts.scheme == "https" else { return nil }
    return parts.host.map { "\($0.lowercased()):\(parts.port ?? 443)" }
  }

  /// The output limit, above the longest address that curl takes from a header (100 kB).
  private static let outputLimit = 1 << 18
  /// The memory limit of curl in kilobytes, because a compressed response may request a window of
  /// 128 MB.
  private static let memoryLimit = 64 << 10

  /// Runs curl to its end. Returns its exit status as a shell reports it, and its output besides
  /// the file.
  private func run(
    _ options: [String], to file: UnnamedFile
  ) throws -> (status: Int32, output: String) {
    // The shell limits the size of the written file, because curl does not know the decompressed
    // size.
    let script = "ulimit -f \(byteLimit / 512); ulimit -d \(Self.memoryLimit); exec \"$@\""
    // Curl is killed with this process, so that it does not continue the download alone.
    let program = ChildProgram(
      ["/usr/bin/setpriv", "--pdeathsig", "KILL", "/bin/sh", "-c", script, "sh", Self.program]
        + options)
    let (status, output) = try program.run(into: file.handle, outputLimit: Self.outputLimit)
    return (status, String(decoding: output, as: UTF8.self))
  }
}
