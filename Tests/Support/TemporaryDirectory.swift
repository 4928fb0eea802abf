import Foundation

/// Runs the body with a temporary directory and then removes it.
package func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  let result = Swift.Result { try body(directory.path()) }
  try FileManager.default.removeItem(at: directory)
  return try result.get()
}
