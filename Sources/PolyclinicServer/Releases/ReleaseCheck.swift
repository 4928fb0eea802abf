import Glibc
import PolyclinicCore
import PolyclinicSystem

/// A check by another release's program that it can serve the existing data.
struct ReleaseCheck {
  let program: String
  /// The path of the configuration file.
  let configuration: String
  /// The longest time that the check may take.
  var timeout = Duration.seconds(60)

  enum Result: Equatable {
    case passed
    /// The database does not answer, and all else is right.
    case unanswered(String)
    case refused(String)
  }

  /// Returns the program's answer. Throws ``SystemError`` if the program cannot be started.
  func result() throws -> Result {
    let said = try OpenFile(inMemory: [])
    let arguments = ["check", "--release", "--config", configuration]
    let child = try ChildProcess(
      "check", Program(path: program, arguments: arguments), reading: .nothing,
      output: .descriptors(said.descriptor, errors: said.descriptor))
    let end = SuspendingClock.now + timeout
    var exitStatus = child.ended()
    while exitStatus == nil, SuspendingClock.now < end {
      poll(nil, 0, 20)
      exitStatus = child.ended()
    }
    guard let exitStatus else {
      child.destroy()
      _ = child.wait()
      return .refused("nothing within \(timeout)")
    }
    if exitStatus == .status(0) { return .passed }
    try said.rewind(to: 0)
    let text = IncomingText(try said.read(atMost: 65_536)).repaired
    let lines = text.split(whereSeparator: \.isNewline).map { TextTable.plain(String($0)) }
    let words =
      lines.isEmpty ? "nothing, and ended with \(exitStatus)" : lines.joined(separator: "\n")
    return exitStatus == .status(UnansweredCheck.exitStatus) ? .unanswered(words) : .refused(words)
  }
}

/// The reason why the schema could not be checked. Configuration, modules and key are right.
struct UnansweredCheck: Error, CustomStringConvertible {
  /// The exit status of `check --release` (EX_TEMPFAIL of sysexits.h).
  static let exitStatus: Int32 = 75

  let description: String

  init(_ error: any Error) {
    description = "The database does not answer: \((error as? DatabaseError)?.detail ?? "\(error)")"
  }
}
