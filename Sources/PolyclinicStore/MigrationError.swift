/// Why the schema was not brought up to date. Its text says what to do.
public struct MigrationError: Error, Sendable, CustomStringConvertible {
  /// What is wrong with a migration.
  public enum Reason: Sendable {
    /// Two modules of one id, or two migrations of one name in a module.
    case duplicate
    /// It stands, or would run, behind one with a later name.
    case outOfOrder
    /// It was applied with another text.
    case changed
    /// It was applied, and is gone from among those that the module still lists.
    case removed
    /// Its statements failed, with this error; nothing of it was kept.
    case failed(any Error)
  }

  public let module: String
  /// The migration's name; empty when the module itself is meant.
  public let name: String
  public let reason: Reason

  public var description: String {
    let subject = name.isEmpty ? "module \(module)" : "migration \(name) of module \(module)"
    return switch reason {
    case .duplicate: "\(subject) is listed twice: give one of them another name"
    case .outOfOrder:
      "\(subject) comes after a later name: give it a name behind all that were released"
    case .changed:
      "\(subject) was changed after it had been applied: restore its text, and put the change into a new migration"
    case .removed:
      "\(subject) was applied and is missing from the module: put it back, or run the release that has it"
    case .failed(let error):
      "\(subject) failed, and nothing of it was kept (\(error)): mend the cause and start again"
    }
  }
}
