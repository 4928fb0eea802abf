import Foundation

/// A directory of a test's own, gone when the test is over.
enum Scratch {
  static func with(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "polyclinic-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer {
      do { try FileManager.default.removeItem(atPath: path) } catch { print("left: \(path)") }
    }
    try body(path)
  }
}
