import Foundation

/// A temporary directory that is removed after the test.
package enum Scratch {
  package static func with(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "polyclinic-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer {
      do { try FileManager.default.removeItem(atPath: path) } catch { print("left: \(path)") }
    }
    try body(path)
  }
}
