/// The way in which a process ended: an exit status or a signal.
package enum ExitStatus: Equatable, CustomStringConvertible {
  case status(Int32)
  case signal(Int32)

  /// Decodes the status that `waitpid` returns (wait(2): the low seven bits are the signal).
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  /// The exit status, or 128 plus the signal's number, as in shells.
  package var code: Int32 {
    switch self {
    case .status(let status): status
    case .signal(let signal): 128 + signal
    }
  }

  package var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}
