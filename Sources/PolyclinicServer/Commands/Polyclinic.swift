import ArgumentParser
import Foundation
import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

/// The command-line program of the portal.
public enum Polyclinic {
  /// The modules that this program is built with.
  @TaskLocal package static var modules: [any Module] = []
  /// The fictional data of this program; nil if it has none.
  @TaskLocal package static var demonstration: DemonstrationData?
  /// The environment variable by which `polyclinic run --demo` tells the processes it starts that
  /// they serve a demonstration.
  static let demonstrationVariable = "POLYCLINIC_DEMO"

  /// The modules that only a demonstration portal has; none in any other portal.
  static var demonstrationModules: [any Module] {
    guard let demonstration else { return [] }
    let isDemonstration =
      ProcessInfo.processInfo.environment[demonstrationVariable] != nil
      || CommandLine.arguments.dropFirst().contains("--demo")
    return isDemonstration ? demonstration.modules : []
  }

  /// Runs the command that the arguments name and ends the process. The exit status is 0, 1
  /// (failure) or 2 (wrong usage or configuration).
  public static func main(
    _ modules: [any Module], demonstration: DemonstrationData? = nil
  ) -> Never {
    CrashReport.turnOff()
    LineLogHandler.bootstrap(level: .info)
    // Takes them from the environment before any program is started.
    _ = HandedFiles.received
    $modules.withValue(modules) {
      $demonstration.withValue(demonstration) { run() }
    }
  }

  private static func run() -> Never {
    do {
      var words = Array(CommandLine.arguments.dropFirst())
      if words.first == "help" { words = words.dropFirst() + ["--help"] }
      if let commands = ModuleOwnCommands.named(by: words.first, among: modules) {
        end(with: try commands.run(Array(words.dropFirst())))
      }
      var command = try RootCommand.parseAsRoot()
      try (command as? any InstallationCommand)?.becomeOwner()
      try command.run()
      exit(0)
    } catch {
      // The help names the modules' commands too.
      end(with: error)
    }
  }

  private static func end(with outcome: ModuleOwnCommands.Outcome) -> Never {
    switch outcome {
    case .done(let lines):
      printLines(lines)
      exit(0)
    case .failed(let sentence):
      say(sentence)
      exit(1)
    case .misused(let sentence):
      say(sentence)
      exit(2)
    }
  }

  private static func end(with error: any Error) -> Never {
    switch error {
    case let code as ExitCode: exit(code.rawValue)
    case is Command.Failure:
      say("\(error)")
      exit(1)
    case is ConfigurationError, is Misuse:
      say("\(error)")
      exit(2)
    case let error as DatabaseError:
      say("polyclinic: \(error.sentence)")
      exit(1)
    case let error as SystemError:
      say("polyclinic: \(error.sentence)")
      exit(1)
    default: break
    }
    switch RootCommand.exitCode(for: error) {
    case .success:
      print(RootCommand.fullMessage(for: error))
      exit(0)
    case .validationFailure:
      say(RootCommand.fullMessage(for: error))
      exit(2)
    default:
      say("polyclinic: \(error)")
      exit(1)
    }
  }

  /// Writes a line to standard error.
  static func say(_ line: String) {
    do throws(SystemError) {
      try OpenFile.write(Array((line + "\n").utf8), to: STDERR_FILENO)
    } catch {
      // Ignored, because an error in writing to standard error cannot be reported.
    }
  }

  /// The path of this program, for starting further processes.
  static var executable: String {
    let name = CommandLine.arguments.first ?? "polyclinic"
    if name.contains("/") { return FilePath.absolute(name) }
    do {
      return try Program.path(of: name, environment: ProcessInfo.processInfo.environment)
    } catch {
      // The program was started in a way that hides its path. The kernel's link works until the
      // file is replaced.
      return "/proc/self/exe"
    }
  }
}

struct RootCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "polyclinic",
      abstract: "A health portal that clinics and families host themselves.",
      version: "polyclinic \(ProductVersion.current)",
      subcommands: own + ModuleDeclarations.all(of: Polyclinic.modules))
  }

  private static let own: [any ParsableCommand.Type] = [
    RunCommand.self, ServeCommand.self, SetupCommand.self, MigrateCommand.self, CheckCommand.self,
    BackupCommand.self, RestoreCommand.self, DatabaseCommand.self, VaultCommand.self,
    ReloadCommand.self, RollbackCommand.self, StatusCommand.self, ModuleCommand.self,
    UserCommand.self,
    ConfigCommand.self, WorkerCommand.self, JobsCommand.self,
  ]

  /// The names of the portal's own commands.
  static var names: [String] { own.compactMap { $0.configuration.commandName } + ["help"] }
}
