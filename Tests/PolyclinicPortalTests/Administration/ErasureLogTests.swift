import Foundation
import PolyclinicPortal
import Testing

/// The file of erasure ids, also as other programs copy it.
@Suite struct ErasureLogTests {
  private let directory = FileManager.default.temporaryDirectory.path + "/erasures-\(UUID())"
  private let ids: [[UInt8]] = [Array(0..<16), Array(100..<116)]

  /// Appends the ids, and changes the file as another program does.
  private func log(_ convert: (String) -> Data) throws -> ErasureLog {
    let log = ErasureLog(directory: directory)
    try log.append(ids)
    let url = URL(filePath: directory + "/" + ErasureLog.name)
    try convert(String(decoding: Data(contentsOf: url), as: UTF8.self)).write(to: url)
    return log
  }

  @Test(
    arguments: [
      { $0 }, { $0.replacing("\n", with: "\r\n") }, { $0.replacing("\n", with: " \t\n") },
      { "\u{FEFF}" + $0 }, { $0.uppercased() }, { $0 + "0011\n" },
    ] as [@Sendable (String) -> String])
  func `ids are read with line ends, blanks, marks and cut lines of other programs`(
    _ convert: @Sendable (String) -> String
  ) throws {
    #expect(try log { Data(convert($0).utf8) }.ids() == ids)
  }

  @Test func `a file in another encoding is refused`() throws {
    let log = try log { $0.data(using: .utf16LittleEndian) ?? Data() }
    let error = #expect(throws: ErasureLog.Unreadable.self) { try log.ids() }
    #expect(error?.description.hasPrefix("Line 1 of ") == true)
  }

  @Test func `a line of anything else is refused with its number`() throws {
    let log = try log { Data(($0 + "see the other file\n").utf8) }
    let error = #expect(throws: ErasureLog.Unreadable.self) { try log.ids() }
    #expect(error?.description.hasPrefix("Line 3 of ") == true)
  }
}
