import Foundation
import Glibc
import PolyclinicCore

/// A file that somebody has fetched from one of the sources: its first bytes say which.
struct FigureFile {
  /// Bytes; twice what the largest source has.
  static let byteLimit = 256 << 20

  let path: String

  /// Opens the file, of at most so many bytes; throws ``SourceFault``.
  ///
  /// A pipe is refused: files are read twice.
  func open(limit: Int = byteLimit) throws(SourceFault) -> FileHandle {
    // Without O_NONBLOCK a pipe would wait for somebody who writes to it.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SourceFault(.unreadable) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SourceFault(.unreadable)
    }
    guard status.st_size <= limit else { throw SourceFault(.large) }
    return file
  }

  /// The source whose shape the file has; throws ``SourceFault`` where it is none's.
  func source() throws -> any FigureSource {
    guard let start = try open().read(upToCount: 4_096), !start.isEmpty else {
      throw SourceFault(.empty)
    }
    let first = Array(start.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF })
    let line = String(decoding: first.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if let mark = first.first, [UInt8(ascii: "["), UInt8(ascii: "{")].contains(mark) {
      return DiseaseShSource()
    }
    return line.contains("Date_reported") ? WHOSource() : OWIDSource()
  }

  /// The figures in the file, until that day; throws ``SourceFault``.
  func read(until last: CalendarDate) throws -> (source: any FigureSource, figures: Figures) {
    let source = try source()
    return (source, try source.read([path], until: last))
  }
}
