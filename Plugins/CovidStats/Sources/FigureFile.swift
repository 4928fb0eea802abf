import Foundation
import Glibc
import PolyclinicCore

/// A file of one of the sources that the administrator has downloaded. Its first bytes identify the
/// source.
struct FigureFile {
  /// The size limit in bytes, twice the size of the largest source.
  static let byteLimit = 256 << 20

  let path: String

  /// Opens the file if it is at most `limit` bytes long. Throws ``SourceFault``.
  ///
  /// It refuses a pipe, because files are read twice.
  func open(limit: Int = byteLimit) throws(SourceFault) -> FileHandle {
    // O_NONBLOCK, because opening a pipe would otherwise wait for a writer.
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

  /// Returns the source with this file format. Throws ``SourceFault`` if the file is empty or
  /// cannot be read.
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

  /// Reads the figures until a day. Throws ``SourceFault``.
  func read(until last: CalendarDate) throws -> (source: any FigureSource, figures: Figures) {
    let source = try source()
    return (source, try source.read([path], until: last))
  }
}
