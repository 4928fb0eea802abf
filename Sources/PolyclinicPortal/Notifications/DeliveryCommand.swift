import Glibc
import PolyclinicCore
import PolyclinicSystem

/// A configured program that delivers messages. Like sendmail, it reads the message from standard
/// input.
package struct DeliveryCommand: Sendable {
  /// The timeout for one message.
  package static let limit = Duration.seconds(30)

  package let program: String
  package let arguments: [String]
  package var limit = DeliveryCommand.limit

  /// Parses a line of words separated by spaces. Quotation marks keep a word together. No shell
  /// reads the line, so there are no variables, wildcards or pipes.
  ///
  /// Returns nil if the line does not begin with an absolute path or a quotation mark is missing.
  package init?(_ line: String) {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    guard !isQuoted, let program = words.first, program.hasPrefix("/") else { return nil }
    self.program = program
    arguments = Array(words.dropFirst())
  }

  /// Sends a message. Returns once the program has accepted it.
  ///
  /// Throws ``DeliveryFailure``. Discards the program's output, because it may quote the recipient.
  package func send(_ message: [UInt8]) throws(DeliveryFailure) {
    let child: ChildProcess
    do {
      let file = try OpenFile(inMemory: message)
      child = try ChildProcess(
        "delivery", Program(path: program, arguments: arguments),
        reading: .descriptor(file.descriptor), output: .nothing)
    } catch { throw .notStarted(error) }
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let exitStatus = child.ended() {
        guard exitStatus == .status(0) else { throw .ended(exitStatus) }
        return
      }
      poll(nil, 0, 10)
    }
    child.destroy()
    _ = child.wait()
    throw .tookTooLong
  }
}

/// The reason why a message was not accepted. It does not name the recipient.
package enum DeliveryFailure: Error, CustomStringConvertible {
  case notStarted(SystemError)
  case ended(ExitStatus)
  case tookTooLong

  package var description: String {
    switch self {
    case .notStarted(let error): "the command did not start: \(error)"
    case .ended(let exitStatus): "the command ended with \(exitStatus)"
    case .tookTooLong: "the command took too long"
    }
  }
}
