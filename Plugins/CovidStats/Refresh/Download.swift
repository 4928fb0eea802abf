import Foundation
import Glibc
import PolyclinicCore

/// Fetches a file by curl, a process of its own, so that no process of the portal links an HTTP client.
struct Download {
  /// An address with `https`.
  let address: String
  /// The proxy's address; empty for none.
  let proxy: String

  /// Twice what the largest source has; decompressed, since that is what is written.
  static let byteLimit = 256 << 20
  private static let secondLimit = 180
  private static let redirectLimit = 3
  private static let program = "/usr/bin/curl"

  /// Writes the file to `path`; throws ``RefreshFailed``.
  func run(to path: String) throws {
    var address = address
    for _ in 0...Self.redirectLimit {
      switch try fetch(address, to: path) {
      case .file: return
      // By name: the next host is asked for by the same certificate, wherever it is.
      case .redirect(let next) where Self.host(of: next) == Self.host(of: address): address = next
      case .redirect: throw RefreshFailed(.elsewhere)
      }
    }
    throw RefreshFailed(.refused)
  }

  /// The source's answer to one request.
  private enum Answer {
    case file
    /// To this address; empty where none was named.
    case redirect(String)
  }

  /// Fetches without following anything.
  private func fetch(_ address: String, to path: String) throws -> Answer {
    guard FileManager.default.isExecutableFile(atPath: Self.program) else {
      throw RefreshFailed(.missingProgram)
    }
    var options = [
      "--silent", "--proto", "=https", "--compressed", "--max-filesize", "\(Self.byteLimit)",
      "--max-time", "\(Self.secondLimit)", "--connect-timeout", "15", "--speed-limit", "2000",
      "--speed-time", "20", "--output", path, "--write-out", "%{http_code} %{redirect_url}",
    ]
    if !proxy.isEmpty { options += ["--proxy", proxy] }
    // The shell bounds what is written: curl does not know the size of what it decompresses.
    let (status, said) = try Self.run(
      ["/bin/sh", "-c", "ulimit -f \(Self.byteLimit / 512); exec \"$@\"", "sh", Self.program]
        + options + ["--", address])
    guard status == 0 else { throw RefreshFailed(Self.failure(of: status)) }
    let words = said.split(separator: " ", maxSplits: 1)
    switch words.first.flatMap({ Int($0) }) {
    case 200: return .file
    case 301, 302, 303, 307, 308: return .redirect(words.dropFirst().first.map(String.init) ?? "")
    default: throw RefreshFailed(.refused)
    }
  }

  /// The exit statuses of curl (curl(1), EXIT CODES), and those of a shell for a signal.
  private static func failure(of status: Int32) -> RefreshFailure {
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
    case 23: .large
    default: .failed
    }
  }

  private static func host(of address: String) -> String? {
    guard let parts = URLComponents(string: address), parts.scheme == "https" else { return nil }
    return parts.host.map { "\($0.lowercased()):\(parts.port ?? 443)" }
  }

  /// Runs a program to its end; its exit status, as shells count, and the start of what it wrote.
  private static func run(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    do { try process.run() } catch { throw RefreshFailed(.missingProgram) }
    let output = try pipe.fileHandleForReading.read(upToCount: 16_384) ?? Data()
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return (status, String(decoding: output, as: UTF8.self))
  }
}
