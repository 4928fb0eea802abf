import Foundation
import PolyclinicCore

/// A file that somebody has fetched from one of the sources: its first bytes say which.
struct FigureFile {
  let path: String

  /// The source whose shape the file has; throws ``SourceFault`` where it is none's.
  func source() throws -> any FigureSource {
    guard let file = FileHandle(forReadingAtPath: path),
      let start = try file.read(upToCount: 4_096), !start.isEmpty
    else { throw SourceFault(.unreadable) }
    let first = Array(start.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF })
    let line = String(decoding: first.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if first.first == UInt8(ascii: "[") { return DiseaseShSource() }
    return line.contains("Date_reported") ? WHOSource() : OWIDSource()
  }

  /// The figures in the file; throws ``SourceFault``.
  func read() throws -> (source: any FigureSource, figures: Figures) {
    let source = try source()
    return (source, try source.read([path]))
  }
}
