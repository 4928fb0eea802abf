/// One step of the schema's history: applied once, never changed afterwards, never removed.
///
/// A migration runs in a transaction of its own, before any worker starts, and leaves the previous
/// release working: it adds; it does not rename or remove what that release still uses.
public struct Migration: Sendable {
  /// Its place and purpose, such as `0003-add-phone`; unique within the module.
  public let name: String
  /// What is run, in this order, in one transaction.
  public let statements: [SQL]

  /// The statements may depend on nothing but the schema: they are run once in each installation.
  public init(_ name: StaticString, _ statements: SQL...) { self.init(name, statements) }

  /// As the other, for statements that something else lists, such as ``Records/schema``.
  public init(_ name: StaticString, _ statements: [SQL]) {
    self.name = name.description
    self.statements = statements
  }
}

extension Migration {
  /// The time for which the release before may still be at work after a migration: its workers end within
  /// an hour, and the one-time links that they made within a day.
  public static let transition = Seconds.hours(25)

  /// The end of ``transition`` after this migration of a module; nil once it has passed.
  ///
  /// A job waits for it before it removes what the release before still reads.
  public func transitionEnd(
    in module: ModuleID, at now: Instant, on connection: Connection
  ) throws -> Instant? {
    let applied = try connection.row(
      """
      SELECT applied_at FROM migrations WHERE module = \(module.rawValue) AND name = \(name)
      """
    ) { $0.instant(0) }
    // A migration from the future was applied by a clock that was wrong: nobody waits for that time.
    guard let applied, applied <= now, now < applied + Self.transition else { return nil }
    return applied + Self.transition
  }
}
