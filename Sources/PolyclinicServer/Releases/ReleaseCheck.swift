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

  /// Returns the program's objection; nil if it has none. Throws ``SystemError`` if the program
  /// cannot be started.
  func problem() throws -> String? {
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
      return "nothing within \(timeout)"
    }
    if exitStatus == .status(0) { return nil }
    try said.rewind(to: 0)
    let text = IncomingText(try said.read(atMost: 65_536)).repaired
    let lines = text.split(whereSeparator: \.isNewline).map { TextTable.plain(String($0)) }
    return lines.isEmpty ? "nothing, and ended with \(exitStatus)" : lines.joined(separator: "\n")
  }
}
