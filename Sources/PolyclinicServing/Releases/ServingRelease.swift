import PolyclinicCore
import PolyclinicSystem

/// The release that a supervisor starts its processes from.
package struct ServingRelease: Codable, Sendable, Equatable {
  /// The path of the program.
  package let program: String
  /// The name of the kept release; nil for the installed one.
  package let kept: String?
  /// The path and the stamp of the installed program, read together.
  package let installedProgram: String
  package let installed: ProgramStamp
}

extension ServingRelease {
  /// The choices to take into account.
  package enum Choices {
    case all
    /// Only choices that a reload has confirmed.
    case proven
  }

  /// Finds the release to serve: the kept one chosen for this installed program, otherwise the
  /// installed one.
  ///
  /// Throws errors of reading the choice, and ``Command/Failure`` if the chosen release is missing.
  package init(
    _ choices: Choices, installed program: String, _ directory: ReleaseDirectory
  ) throws {
    let stamp = try ProgramStamp(of: program)
    installedProgram = program
    installed = stamp
    let choice = try ReleaseChoice.read(in: directory).flatMap { $0.installed == stamp ? $0 : nil }
    let id = choice.flatMap { $0.isProven || choices == .all ? $0.kept : $0.before }
    kept = id
    guard let id else {
      self.program = program
      return
    }
    guard let release = try directory.release(id) else {
      throw Command.Failure("The release \(id) is not kept any more.")
    }
    self.program = release.program
  }

  /// Uses the installed release, regardless of any choice.
  package init(installed program: String) throws(SystemError) {
    self.program = program
    kept = nil
    installedProgram = program
    installed = try ProgramStamp(of: program)
  }
}

extension ReleaseDirectory {
  /// Returns the kept copy of the release that serves; nil if there is none yet.
  package func copy(of serving: ServingRelease) throws -> KeptRelease? {
    if let id = serving.kept { return try release(id) }
    return try releases().first { $0.record.installed == serving.installed }
  }

  /// Returns the releases that served before, the latest first.
  package func releases(before serving: ServingRelease) throws -> [KeptRelease] {
    let all = try releases()
    guard let own = try copy(of: serving) else { return all }
    return all.filter { $0.record.served < own.record.served }
  }
}
