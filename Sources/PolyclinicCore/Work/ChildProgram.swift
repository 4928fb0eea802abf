import Foundation

/// A program that runs in a process of its own until it ends.
public struct ChildProgram: Sendable {
  /// The program's path and its arguments.
  public let words: [String]

  /// A program that is not started yet.
  public init(_ words: [String]) { self.words = words }

  /// Hands over `input` and waits for the end. Returns the exit status, as shells count (128 and the signal),
  /// and the first bytes of what the program wrote: where a file takes its output, of what it wrote to standard
  /// error.
  ///
  /// Throws what starting a program throws.
  public func run(
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
    Self.send(input, to: sent.fileHandleForWriting)
    let output = try Self.read(received.fileHandleForReading, upTo: outputLimit)
    // One that goes on writing ends by a signal.
    try received.fileHandleForReading.close()
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return (status, output)
  }

  /// A pipe takes 64 KB; of more input the rest is written while the output is read.
  private static let pipeCapacity = 64 << 10

  private static func send(_ input: [UInt8], to pipe: FileHandle) {
    @Sendable func write() {
      // A program that has ended already takes nothing: its status says why.
      try? pipe.write(contentsOf: input)
      try? pipe.close()
    }
    if input.count <= pipeCapacity { write() } else { Thread.detachNewThread(write) }
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
