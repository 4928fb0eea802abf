import PolyclinicCore
import PolyclinicWeb

extension StateViews {
  /// The table of the machines that share the database; nil for a single one.
  var machines: HTML? {
    if report.machines.count < 2 { return nil }
    let table = context.table(
      "state.machines",
      [
        "state.machine", "state.machine.version", "state.machine.configuration",
        "state.machine.keyRing", "state.machine.seen", "state.machine.state",
      ], report.machines.map(row))
    return "<h2>\(context.text("state.machines"))</h2>\(table)"
  }

  private func row(_ machine: Machine) -> [HTML] {
    [
      "<bdi>\(machine.name)</bdi>", "<bdi>\(machine.setup.version)</bdi>",
      code(machine.setup.configuration), code(machine.setup.keyRing),
      "\(context.zonedDateTime(machine.seen))", "\(each: badges(machine), { "\($0) " })",
    ]
  }

  /// The beginning of a digest, enough to compare it by eye.
  private func code(_ digest: String) -> HTML {
    "<code dir=\"ltr\">\(String(digest.prefix(8)))</code>"
  }

  private func badges(_ machine: Machine) -> [HTML] {
    if !machine.isLive { return [context.badge("state.machine.gone", .danger)] }
    let differences = report.machines.differences(of: machine)
    if differences.isEmpty { return [context.badge("state.machine.current", .good)] }
    return differences.map {
      context.badge(Text("state.machine.behind.\($0.rawValue)"), .waiting)
    }
  }
}

extension StatusReport {
  /// Returns a problem for each machine that is gone or lags behind.
  func machineProblems(_ context: Context) -> [Text] {
    if machines.count < 2 { return [] }
    return machines.compactMap { machine in
      if !machine.isLive {
        return Text(
          "state.machine.gone.problem",
          ["machine": machine.name, "since": context.zonedDateTime(machine.seen)])
      }
      return machines.differences(of: machine).isEmpty
        ? nil : Text("state.machine.behind.problem", ["machine": machine.name])
    }
  }
}
