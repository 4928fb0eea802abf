import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

extension ProcessStatus {
  /// Returns the lines about the supervisor: state, address, generation and last reload.
  package func heading(at now: Instant) -> [String] {
    let state = isStopping ? "stopping" : isReloading ? "reloading" : "running"
    var lines = [
      "Polyclinic is \(state): process \(pid), for \(Self.span(from: started, to: now))",
      "Listens at \(listen); generation \(generation)",
    ]
    if let reload = lastReload {
      let result = reload.failure.map { "failed: \($0)" } ?? "went well"
      lines.append(
        "Last reload, \(Self.span(from: reload.finished, to: now)) ago, \(result)")
    }
    return lines
  }

  /// Returns the table with one line for each process.
  package func rows(at now: Instant) -> [String] {
    let heading = ["PROCESS", "STATE", "PID", "FOR", "RESTARTS", "GENERATION"]
    return TextTable([heading] + processes.map { $0.cells(at: now) }).lines
  }

  fileprivate static func span(from start: Int64, to now: Instant) -> String {
    span(of: Seconds(now.seconds - start))
  }

  /// Formats a time span in its two largest units: `3 d 4 h`, `2 min 5 s`.
  package static func span(of span: Seconds) -> String {
    let seconds = max(0, span.count)
    let units: [(String, Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60)]
    for (index, (name, length)) in units.enumerated() where seconds >= length {
      let (smaller, size) = index + 1 < units.count ? units[index + 1] : ("s", 1)
      return "\(seconds / length) \(name) \(seconds % length / size) \(smaller)"
    }
    return "\(seconds) s"
  }
}

extension ProcessStatus.Entry {
  fileprivate func cells(at now: Instant) -> [String] {
    [
      role == .worker ? "worker \(number)" : role.rawValue,
      isFailing ? "failing" : state.rawValue,
      pid.map { "\($0)" } ?? "-",
      started.map { ProcessStatus.span(from: $0, to: now) } ?? "-", "\(restarts)",
      "\(generation)",
    ]
  }
}
