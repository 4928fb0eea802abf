import ArgumentParser
import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

struct RollbackCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Go back to the previous release without an interruption.",
    discussion: """
      The previous release first checks that it understands configuration, key and schema. Each further \
      rollback goes back by one more of the kept releases.
      """)

  @OptionGroup var options: InstallationOptions
  @Flag(help: "Return to the installed release.") var undo = false

  func run() throws {
    let rollback = try options.localInstallation().rollback(program: Polyclinic.executable)
    printLines(try rollback.run(to: undo ? .installed : .previous))
  }
}

extension LocalInstallation {
  func rollback(program: String) -> Rollback {
    Rollback(
      files: files, open: { try configuration.database.open() },
      configurationPath: configuration.path, program: program)
  }

  /// Returns the task that copies the release of this process, for a later rollback. Nil if the
  /// process runs from such a copy.
  ///
  /// It reads and writes about 60 MB at a low priority, so that the first requests do not wait for
  /// it. The priority is not the lowest, because the other jobs wait for it.
  func keepingTask() throws -> JobSchedule.Task? {
    guard try KeptRelease.own == nil else { return nil }
    let program = FilePath.real(Polyclinic.executable) ?? Polyclinic.executable
    let keeping = ReleaseKeeping(
      directory: files.releases, program: program, www: configuration.server.www)
    return JobSchedule.Task(name: "release") { now in
      try SystemThread.result {
        // Lowers the priority of this thread only, because an unprivileged user cannot raise it
        // again. The thread ends with its work.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5)
        try keeping.run(at: now)
      }
      return now + .days(1)
    }
  }
}
