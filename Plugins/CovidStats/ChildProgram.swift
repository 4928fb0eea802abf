import Foundation

/// A program that runs in a process of its own until it ends.
struct ChildProgram {
  /// The program's path and its arguments.
  let words: [String]

  init(_ words: [String]) { self.words = words }

  /// Hands over `input`, which fits into a pipe of 64 KB, and waits for the end. Returns the exit status, as
  /// shells count (128 and the signal), and the first bytes of what the program wrote: where a file takes its
  /// output, of what it wrote to standard error.
  ///
  /// Throws what starting a program throws.
  func run(
    input: [UInt8] = [], into file: FileHandle? = nil, outputLimit: Int
  ) throws -> (status: Int32, output: [UInt8]) {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    let (sent, received) = (Pipe(), Pipe())
    process.standardInput = sent
    if let file {
      (process.standardOutput, process.standardError) = (file, received)
    } else {
      (process.standardOutput, process.standardError) = (received, FileHandle.nullDevice)
    }
    try process.run()
    // One that has ended already takes nothing: its status says why.
    try? sent.fileHandleForWriting.write(contentsOf: input)
    try sent.fileHandleForWriting.close()
    let output = try Self.read(received.fileHandleForReading, upTo: outputLimit)
    // One that goes on writing ends by a signal.
    try received.fileHandleForReading.close()
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return (status, output)
  }

  private static func read(_ file: FileHandle, upTo limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit, let part = try file.read(upToCount: limit - bytes.count),
      !part.isEmpty
    {
      bytes += part
    }
    return bytes
  }
}
