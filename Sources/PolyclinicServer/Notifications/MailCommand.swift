import Glibc
import PolyclinicCore

/// The program that takes e-mails at its standard input, as sendmail does, and carries them on.
struct MailCommand: Sendable {
  /// The longest that it may take for one message.
  static let limit = Duration.seconds(30)

  let program: String
  let arguments: [String]
  var limit = MailCommand.limit

  /// A line of words between blanks; what stands between quotation marks is one word. No shell reads
  /// it: there are no variables, wildcards or pipes. Nil when it does not begin with an absolute path,
  /// or a quotation mark is missing.
  init?(_ line: String) {
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

  /// Hands a message over; it was taken when nothing is thrown.
  ///
  /// Throws ``MailFailure``. What the program prints is not kept: it may quote the address.
  func send(_ message: [UInt8]) throws(MailFailure) {
    let child: ChildProcess
    do {
      let file = try OpenFile(inMemory: message)
      child = try ChildProcess(
        "mail", Program(path: program, arguments: arguments),
        reading: .descriptor(file.descriptor), output: .nothing)
    } catch { throw .notStarted(error) }
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let ending = child.ended() {
        guard ending == .status(0) else { throw .ended(ending) }
        return
      }
      poll(nil, 0, 10)
    }
    child.destroy()
    _ = child.wait()
    throw .tookTooLong
  }
}

/// An e-mail was not taken; does not say to whom it was addressed.
enum MailFailure: Error, CustomStringConvertible {
  case notStarted(SystemError)
  case ended(Ending)
  case tookTooLong

  var description: String {
    switch self {
    case .notStarted(let error): "the mail command did not start: \(error)"
    case .ended(let ending): "the mail command ended with \(ending)"
    case .tookTooLong: "the mail command took too long"
    }
  }
}
