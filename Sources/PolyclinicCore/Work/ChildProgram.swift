import Foundation

/// A program that runs in a child process until it ends.
public struct ChildProgram: Sendable {
  /// The program's path, followed by its arguments.
  public let words: [String]

  /// Creates a program without starting it.
  public init(_ words: [String]) { self.words = words }

  /// Starts the program, writes `input` to it and waits for its end.
  ///
  /// Returns the exit status as shells count it (128 plus the signal's number) and the first
  /// `outputLimit` bytes of the output. That is standard output or, if `file` receives standard
  /// output, standard error.
  ///
  /// Throws any error of starting the program or of reading its output.
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
    // A program that writes more than the limit ends with a signal.
    try received.fileHandleForReading.close()
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return (status, output)
  }

  /// A pipe's capacity is 64 KB; longer input is written on another thread while the output is
  /// read.
  private static let pipeCapacity = 64 << 10

  private static func send(_ input: [UInt8], to pipe: FileHandle) {
    @Sendable func write() {
      // A program that has already ended accepts no input; its status tells the reason.
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
