import ArgumentParser
import Foundation
import PolyclinicCore
import PolyclinicPortal
import PolyclinicSystem

/// A command that works on an installation's data. Where root starts it beside data of another
/// user, it goes on as that user.
protocol InstallationCommand: ParsableCommand {
  var options: InstallationOptions { get }
}

extension InstallationCommand {
  /// Runs the command again as the owner of the data and throws its exit status, if root has
  /// started it beside data of another user.
  func becomeOwner() throws {
    try options.becomeOwner(
      naming: Mirror(reflecting: self).children.flatMap {
        ($0.value as? any NamesFiles)?.namedFiles ?? []
      })
  }
}

/// The options of every command that works on an installation.
struct InstallationOptions: ParsableArguments {
  /// The description of `--config`.
  static let about =
    "The configuration file (default: polyclinic.yaml in $DATA or here, else "
    + "\(Configuration.systemPath))."

  @Option(help: ArgumentHelp(InstallationOptions.about), completion: .file(extensions: ["yaml"]))
  var config: String?

  init() {}

  init(config: String?) {
    self.config = config
  }

  func localInstallation() throws -> LocalInstallation {
    try LocalInstallation(config: config, plugins: Polyclinic.modules)
  }

  /// Runs this process's command as the owner of the data and throws its exit status, if the owner
  /// is another user than root, and root has started it.
  func becomeOwner(naming files: [NamedFile]) throws {
    guard geteuid() == 0, let owner = try localInstallation().owner() else { return }
    throw ExitCode(
      try owner.runAgain(Array(CommandLine.arguments.dropFirst()), naming: files))
  }
}

extension LocalInstallation {
  /// The owner of the data; nil if this process is not root, or the data is root's.
  func owner() throws -> DataOwner? {
    try DataOwner(
      of: configuration.database.file ?? files.releases.path, configuredIn: configuration.path)
  }
}

extension DataOwner {
  /// Says that the command goes on as this user, and runs it. Returns its exit status.
  func runAgain(_ words: [String], naming files: [NamedFile] = []) throws -> Int32 {
    Polyclinic.say(notice)
    return try run(words, of: Polyclinic.executable, naming: files)
  }
}

/// An argument or option whose value names files.
private protocol NamesFiles {
  var namedFiles: [NamedFile] { get }
}

extension Optional: NamesFiles where Wrapped: NamesFiles {
  fileprivate var namedFiles: [NamedFile] { map(\.namedFiles) ?? [] }
}

extension Array: NamesFiles where Element: NamesFiles {
  fileprivate var namedFiles: [NamedFile] { flatMap(\.namedFiles) }
}

extension Argument: NamesFiles where Value: NamesFiles {
  fileprivate var namedFiles: [NamedFile] { wrappedValue.namedFiles }
}

extension ArgumentParser.Option: NamesFiles where Value: NamesFiles {
  fileprivate var namedFiles: [NamedFile] { wrappedValue.namedFiles }
}

/// The path of a file to read, or `-` for standard input.
struct InputFile: ExpressibleByArgument, NamesFiles {
  let path: String

  init(argument: String) { path = argument }

  /// The absolute path. Throws `SystemError` if there is no such file.
  var existingPath: String {
    get throws(SystemError) {
      let path = FilePath.absolute(path)
      _ = try OpenFile.reading(path)
      return path
    }
  }

  static var defaultCompletionKind: CompletionKind { .file() }

  fileprivate var namedFiles: [NamedFile] { path == "-" ? [] : [.existing(path)] }
}

/// The path of a backup to read, with the log of erasures beside it.
struct BackupFile: ExpressibleByArgument, NamesFiles {
  let path: String

  init(argument: String) { path = FilePath.absolute(argument) }

  static var defaultCompletionKind: CompletionKind { .file() }

  fileprivate var namedFiles: [NamedFile] {
    [.existing(path), .existing(FilePath.join(FilePath.directory(of: path), ErasureLog.name))]
  }
}

/// The path of a backup to write.
struct NewBackupFile: ExpressibleByArgument, NamesFiles {
  let path: String

  init(argument: String) { path = FilePath.absolute(argument) }

  static var defaultCompletionKind: CompletionKind { .file() }

  fileprivate var namedFiles: [NamedFile] { [.new(path, draftSuffix: BackupName.draftSuffix)] }
}
