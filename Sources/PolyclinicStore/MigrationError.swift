/// An error that kept the schema from being migrated. Its description names the remedy.
public struct MigrationError: Error, Sendable, CustomStringConvertible {
  /// The reason why a migration was not applied.
  public enum Reason: Sendable {
    /// Two modules have the same id, or two migrations of a module have the same name.
    case duplicate
    /// The migration is listed, or would run, after one with a later name.
    case outOfOrder
    /// The migration was applied with another text.
    case changed
    /// The migration was applied without the first one that the module lists, so the schema is that
    /// of a release from before ``Migrator/isAppendOnly``.
    case former
    /// The migration was applied and is no longer listed, although the module lists a later one.
    case removed
    /// The statements failed with this error, and the migration was rolled back.
    case failed(any Error)
  }

  public let module: String
  /// The migration's name; empty if the error is about the module itself.
  public let name: String
  public let reason: Reason

  public var description: String { sentence(isAppendOnly: Migrator.isAppendOnly) }

  /// Returns the error with its remedy, which depends on ``Migrator/isAppendOnly``.
  package func sentence(isAppendOnly: Bool) -> String {
    let subject = name.isEmpty ? "module \(module)" : "migration \(name) of module \(module)"
    return switch reason {
    case .duplicate: "\(subject) is listed twice: give one of them another name"
    case .outOfOrder:
      "\(subject) comes after a later name: give it a name behind all that were released"
    case .changed where isAppendOnly:
      "\(subject) was changed after it had been applied: restore its text, and put the change into a new migration"
    case .changed, .former:
      """
      the database has the schema of an earlier program (\(subject)), which this release does not \
      convert: let each person download their data with that program (/account/export), or start \
      anew with an empty data directory
      """
    case .removed:
      "\(subject) was applied and is missing from the module: put it back, or run the release that has it"
    case .failed(let error):
      "\(subject) failed, and nothing of it was kept (\(error)): mend the cause and start again"
    }
  }
}
