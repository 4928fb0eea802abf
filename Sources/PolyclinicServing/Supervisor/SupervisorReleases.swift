import Logging

/// The supervisor's part of a rollback. It starts processes from the chosen release, and confirms
/// the choice after a successful reload.
extension Supervisor {
  /// Selects the first release. Drops an unconfirmed choice, because the command that made it was
  /// interrupted.
  func chooseFirstRelease() throws {
    takeBackChoice()
    release = try serving(.proven)
  }

  /// Selects the release of the next generation. Throws ``SystemError`` if no program is installed.
  func chooseNextRelease() throws { nextRelease = try serving(.all) }

  /// Returns the release for the choices. Uses the installed release if the chosen one is missing,
  /// because any release is better than none.
  private func serving(_ choices: ServingRelease.Choices) throws -> ServingRelease? {
    guard let releases = options.releases else { return nil }
    do {
      return try ServingRelease(choices, installed: options.executable, releases)
    } catch {
      log.error("the installed release serves", metadata: ["reason": "\(error)"])
      return try ServingRelease(installed: options.executable)
    }
  }

  /// Confirms the choice before the chosen release serves, so that it also serves after a restart.
  func proveChoice() throws {
    guard let releases = options.releases, let choice = try ReleaseChoice.read(in: releases),
      !choice.isProven, choice.installed == nextRelease?.installed
    else { return }
    try choice.prove(in: releases)
  }

  /// Restores the previous choice if no reload has confirmed the current one.
  func takeBackChoice() {
    guard let releases = options.releases else { return }
    do {
      guard let choice = try ReleaseChoice.read(in: releases), !choice.isProven else { return }
      try choice.takeBack(in: releases)
    } catch {
      log.error("cannot take back the choice of a release", metadata: ["reason": "\(error)"])
    }
  }
}
