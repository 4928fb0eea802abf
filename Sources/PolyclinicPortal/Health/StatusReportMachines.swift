import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

extension StatusReport {
  /// The table of the machines that share the database, for a terminal; empty for a single one.
  func machineLines(at now: Instant) -> [String] {
    if machines.count < 2 { return [] }
    let heading = ["MACHINE", "RELEASE", "CONFIGURATION", "KEYS", "SEEN", "STATE"]
    let rows = machines.map { machine in
      [
        machine.name, machine.setup.version, machine.setup.configuration, machine.setup.keyRing,
        "\(ProcessStatus.span(of: now - machine.seen)) ago", state(of: machine),
      ]
    }
    return [""] + TextTable([heading] + rows).lines
  }

  private func state(of machine: Machine) -> String {
    if !machine.isLive { return "GONE" }
    let words = machines.differences(of: machine).map {
      switch $0 {
      case .version: "release"
      case .configuration: "configuration"
      case .keyRing: "keys"
      }
    }
    return words.isEmpty ? "up to date" : "LAGS in \(words.joined(separator: ", "))"
  }
}
