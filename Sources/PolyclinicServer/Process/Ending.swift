/// How a process ended.
enum Ending: Equatable, CustomStringConvertible {
  case status(Int32)
  case signal(Int32)

  /// Reads what `waitpid` gives (wait(2): the low seven bits are the signal).
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  /// The exit status, or 128 and the signal's number, as shells count.
  var code: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let signal): 128 + signal
    }
  }

  var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}
