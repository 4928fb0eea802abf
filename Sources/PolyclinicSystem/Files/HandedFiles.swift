import FoundationEssentials
import Glibc

/// The ``HandedFile`` values of this process, which root's process has started as another user.
package struct HandedFiles: Sendable {
  /// The environment variable with the number of files.
  private static let count = "POLYCLINIC_FILES"
  /// The descriptor of the first file. The one before it is the ``Channel`` to root's process.
  private static let firstDescriptor = Channel.inherited + 1

  /// The files of this process; nil if no process of root has started it.
  package static let received = HandedFiles(environment: ProcessInfo.processInfo.environment)

  private let entries: [Entry]

  /// The part of a file that the program knows: the path, and the error that root got, or 0.
  private struct Entry {
    let path: String
    let code: Int32
  }

  private init?(environment: [String: String]) {
    guard let count = environment[Self.count].flatMap(Int.init) else { return nil }
    entries = (0..<min(max(count, 0), 100)).compactMap { number in
      guard let words = environment[Self.name(number)]?.split(separator: " ", maxSplits: 1),
        words.count == 2, let code = Int32(words[0])
      else { return nil }
      return Entry(path: String(words[1]), code: code)
    }
    // Programs that this process starts must see neither the list nor the files.
    for name in [Self.count] + entries.indices.map(Self.name) { unsetenv(name) }
    for descriptor in [Channel.inherited] + entries.indices.map(Self.descriptor) {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  private static func name(_ number: Int) -> String { "POLYCLINIC_FILE_\(number)" }

  /// Returns the descriptor of the file with this number, in a program that receives files.
  static func descriptor(_ number: Int) -> Int32 { firstDescriptor + Int32(number) }

  /// Returns the environment variables of a program that receives the files.
  static func variables(_ files: [HandedFile]) -> [String: String] {
    var variables = [count: "\(files.count)"]
    for (number, file) in files.enumerated() {
      let code: Int32 = if case .failed(let code) = file.opening { code } else { 0 }
      variables[name(number)] = "\(code) \(file.path)"
    }
    return variables
  }

  func has(_ path: String) -> Bool { number(of: path) != nil }

  /// Returns the file at the path, positioned at its beginning; nil if it was not handed over.
  /// Throws the error that root got.
  func file(at path: String) throws(SystemError) -> OpenFile? {
    guard let number = number(of: path) else { return nil }
    let code = entries[number].code
    guard code == 0 else { throw SystemError("open", code, on: path) }
    let file = try OpenFile(copying: Self.descriptor(number), path)
    try file.rewind(to: 0)
    return file
  }

  /// Has root's process give a new file its name, and waits for that.
  func complete(_ path: String) throws(SystemError) {
    guard let number = number(of: path) else { throw SystemError("rename", ENOENT, on: path) }
    Channel.send(UInt8(number), to: Channel.inherited)
    // Without an answer root's process is gone, and nobody gives the file its name.
    let code = Channel.receive(from: Channel.inherited).map(Int32.init) ?? EPIPE
    guard code == 0 else { throw SystemError("rename", code, on: path) }
  }

  private func number(of path: String) -> Int? {
    let path = FilePath.absolute(path)
    return entries.firstIndex { $0.path == path }
  }
}
