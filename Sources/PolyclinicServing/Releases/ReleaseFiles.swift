import Foundation
import PolyclinicCore
import PolyclinicCryptography
import PolyclinicDocuments
import PolyclinicSystem

/// The files of a release: the program, the files that it needs beside itself, and `www`.
package struct ReleaseFiles {
  /// A file, named by its path within a kept release.
  package struct File {
    package let name: String
    package let source: String
    package let size: Int64
    let isProgram: Bool
  }

  /// The files, sorted by name.
  package let files: [File]
  /// The size of all files in bytes.
  package var size: Int64 { files.reduce(0) { $0 + $1.size } }

  /// Lists the files of the installed release.
  ///
  /// - Parameters:
  ///   - program: The path of the program, without links.
  ///   - content: The path that the program's bytes are read from, such as `/proc/self/exe`.
  ///   - www: The directory of the files that nginx serves itself.
  package init(program: String, content: String, www: String) throws {
    let directory = FilePath.directory(of: program)
    let beside = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
      $0 == DocumentDecoder.programName || $0.hasSuffix(".resources")
    }
    let own = try Self.file(FilePath.name(of: program), content)
    let others = try beside.flatMap { try Self.tree(FilePath.join(directory, $0), as: $0) }
    self.init(try [own].compactMap { $0 } + others + Self.tree(www, as: KeptRelease.wwwName))
  }

  /// Lists the files of a kept release, except its record.
  package init(kept directory: String) throws {
    self.init(
      try Self.tree(directory, as: "").filter { $0.name != KeptRelease.recordName })
  }

  private init(_ files: [File]) { self.files = files.sorted { $0.name < $1.name } }

  /// Returns a file, or all files below a directory.
  private static func tree(_ path: String, as name: String) throws -> [File] {
    guard let root = FilePath.real(path) else { throw SystemError("open", on: path) }
    if let file = try file(name, root) { return [file] }
    return try FileManager.default.subpathsOfDirectory(atPath: root).compactMap { path in
      try file(name.isEmpty ? path : "\(name)/\(path)", FilePath.join(root, path))
    }
  }

  /// Returns nil if the path is not a regular file.
  private static func file(_ name: String, _ source: String) throws -> File? {
    var status = stat()
    guard stat(source, &status) == 0 else { throw SystemError("stat", on: source) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return File(
      name: name, source: source, size: Int64(status.st_size),
      isProgram: status.st_mode & S_IXUSR != 0)
  }

  private static let chunk = 1 << 20

  /// Returns the hash of all names and contents, in hexadecimal.
  package func digest() throws -> String {
    var digest = SHA256()
    for file in files {
      digest.update("\(file.name)\n\(file.size)\n".utf8)
      try Self.forEachChunk(of: file) { digest.update($0) }
    }
    return digest.finish().hexadecimalText
  }

  /// Copies all files into a new directory, and waits until they are on the disk.
  package func copy(into directory: String) throws {
    try OpenFile.make(directory: directory)
    var directories: Set = [directory]
    for file in files {
      var parent = directory
      for part in file.name.split(separator: "/").dropLast() {
        parent = FilePath.join(parent, String(part))
        if directories.insert(parent).inserted { try OpenFile.make(directory: parent) }
      }
      let copy = try OpenFile(
        FilePath.join(directory, file.name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      var written = 0
      try Self.forEachChunk(of: file) { chunk in
        try copy.write(chunk)
        copy.startWriting(written..<written + chunk.count)
        written += chunk.count
      }
      if file.isProgram { try copy.permit(0o700) }
      try copy.synchronize()
    }
    for directory in directories { try OpenFile.synchronize(directory: directory) }
  }

  private static func forEachChunk(of file: File, _ take: ([UInt8]) throws -> Void) throws {
    let source = try OpenFile(file.source, O_RDONLY)
    while true {
      let bytes = try source.read(upTo: chunk)
      if bytes.isEmpty { return }
      try take(bytes)
    }
  }
}
