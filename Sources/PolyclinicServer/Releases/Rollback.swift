import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem

/// Rolls back to the previous release, or forward again to the installed one.
///
/// The target release checks the data first. Nothing changes before that, or if a step fails.
///
/// If the database does not answer, the target cannot check its schema. The installed release and
/// the one before it then still change places, because a migration leaves the release before it
/// working. A step further back is refused: only the schema itself can tell whether it is safe.
struct Rollback {
  enum Target {
    case previous
    case installed
  }

  let files: InstallationFiles
  /// Opens the database.
  let open: () throws -> any StoredDatabase
  let configurationPath: String
  /// The path of this command's program.
  let program: String

  /// Switches the release, and returns lines for the terminal. The release serves at once, or from
  /// the next start if the portal does not run.
  func run(to target: Target) throws -> [String] {
    let chosen: Chosen
    do {
      chosen = try files.releases.whileLocked { try choose(target) }
    } catch let error as SystemError where error.code == EWOULDBLOCK {
      throw Command.Failure(
        "Another rollback is in progress, or the copy of a release is being made. Nothing was changed. "
          + "Try again when it is over.")
    }
    guard chosen.isRunning else {
      return ["\(chosen.name) serves from the next start on. The portal does not run now."]
        + chosen.notes
    }
    if let failure = try ReloadRequest(directory: files.runDirectory).run() {
      throw Command.Failure(failure)
    }
    guard try ProcessStatus.current(in: files.runDirectory)?.release?.kept == chosen.kept else {
      throw Command.Failure(
        "Something else has changed the release meanwhile. \"polyclinic status\" says which one serves."
      )
    }
    return ["\(chosen.name) serves now."] + (target == .previous ? [Self.duration] : [])
      + chosen.notes
  }

  private static let duration = """
    It does so until another release is installed and "polyclinic reload" is run, or until \
    "polyclinic rollback --undo".
    """

  private struct Chosen {
    let name: String
    let kept: String?
    let isRunning: Bool
    let notes: [String]
  }

  /// Lets the target release check the data, and stores the choice. Confirms it at once if the
  /// portal does not run, because no reload can.
  private func choose(_ target: Target) throws -> Chosen {
    let status = try idleStatus()
    let serving = try serving(status)
    let kept = try kept(for: target, from: serving)
    let choice = ReleaseChoice(
      kept: kept?.id, installed: try ProgramStamp(of: serving.installedProgram),
      isProven: false, before: serving.kept)
    let notes = try unlessMigrating {
      let notes = try requireCompatibility(of: kept, from: serving)
      if status == nil {
        try choice.prove(in: files.releases)
      } else {
        try choice.store(in: files.releases)
      }
      return notes
    }
    return Chosen(
      name: kept.map { "The release \($0.title)," } ?? "The installed release",
      kept: kept?.id, isRunning: status != nil, notes: notes)
  }

  /// Returns the release that serves. Throws ``Command/Failure`` if the supervisor does not support
  /// releases, because it would start the installed one.
  private func serving(_ status: ProcessStatus?) throws -> ServingRelease {
    guard let status else { return try .init(.proven, installed: program, files.releases) }
    guard let release = status.release else {
      throw Command.Failure(
        "The portal was started by a release that cannot go back. Nothing was changed. Restart it once."
      )
    }
    return release
  }

  /// Returns the status of the running portal; nil if it does not run. Throws ``Command/Failure``
  /// while it starts, reloads or stops.
  private func idleStatus() throws -> ProcessStatus? {
    guard try PidFile.holder(of: files.runDirectory.pidFile) != nil else { return nil }
    guard let status = try ProcessStatus.current(in: files.runDirectory) else {
      throw Command.Failure(
        "The portal is starting, and may be migrating. Nothing was changed. Try again when "
          + "\"polyclinic status\" says that it runs.")
    }
    if status.isStopping {
      throw Command.Failure("The portal is stopping. Nothing was changed. Try again when it has.")
    }
    if status.isReloading {
      throw Command.Failure(
        "A reload is in progress, and may be migrating. Nothing was changed. Try again when "
          + "\"polyclinic status\" says that it is over.")
    }
    return status
  }

  /// Returns the kept release to switch to; nil for the installed one.
  private func kept(for target: Target, from serving: ServingRelease) throws -> KeptRelease? {
    if target == .installed {
      guard serving.kept != nil else {
        throw Command.Failure("The installed release serves already. Nothing was changed.")
      }
      return nil
    }
    guard let previous = try files.releases.releases(before: serving).first else {
      throw Command.Failure(
        "No earlier release is kept in \(files.releases.path). Nothing was changed.")
    }
    guard try previous.isWhole() else {
      throw Command.Failure(
        "The copy \(previous.path) is damaged. Nothing was changed. Delete it to go back further.")
    }
    return previous
  }

  /// Runs `body` while nobody migrates. If the database does not answer this program, `body` runs
  /// all the same, because the target release may reach the database.
  private func unlessMigrating<Value>(_ body: () throws -> Value) throws -> Value {
    var hasBegun = false
    do {
      let database = try open()
      defer { database.close() }
      return try database.migrating(.notAtAll) {
        hasBegun = true
        return try body()
      }
    } catch let error as DatabaseError where !hasBegun {
      if error.kind == .busy {
        throw Command.Failure(
          "A migration is in progress. Nothing was changed. Try again when it is over.")
      }
      return try body()
    }
  }

  /// Returns what is to be said about the check that passed. Throws ``Command/Failure`` if the
  /// target release must not serve.
  private func requireCompatibility(
    of kept: KeptRelease?, from serving: ServingRelease
  ) throws -> [String] {
    let check = ReleaseCheck(
      program: kept?.program ?? serving.installedProgram, configuration: configurationPath)
    let name = kept.map { "The release \($0.title)," } ?? "The installed release"
    switch try check.result() {
    case .passed: return []
    case .unanswered where kept == nil || serving.kept == nil:
      return [
        "The database does not answer, so its schema was not checked. \"polyclinic check\" does so when "
          + "the database is back."
      ]
    case .unanswered(let words):
      throw Command.Failure(
        "\(name) cannot check the schema, and may be too old for it. Nothing was changed. It says:\n"
          + words)
    case .refused(let words):
      throw Command.Failure(
        "\(name) cannot serve from what is there. Nothing was changed. It says:\n\(words)")
    }
  }
}
