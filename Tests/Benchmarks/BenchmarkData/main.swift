import Foundation

do {
  try fill(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("benchmark-data: \(error)\n".utf8))
  exit(1)
}
