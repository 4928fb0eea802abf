/// One step of the schema's history. It is applied once, and never changed or removed afterwards.
///
/// A migration runs in its own transaction, before any worker of its release
/// starts. It must leave the previous
/// release working: it adds, does not rename or remove anything that release still uses, and refuses
/// no row that it writes. `ModuleContract` and the portal's tests compare the schema before and after.
public struct Migration: Sendable {
  /// The position and purpose, such as `0003-add-phone`; unique within the module.
  public let name: String
  /// The statements, run in this order in one transaction.
  public let statements: [SQL]

  /// Creates a migration. The statements must depend on nothing but the schema, because each
  /// installation runs them once.
  public init(_ name: StaticString, _ statements: SQL...) { self.init(name, statements) }

  /// Creates a migration from a list of statements, such as ``Records/schema``.
  public init(_ name: StaticString, _ statements: [SQL]) {
    self.name = name.description
    self.statements = statements
  }
}

extension Migration {
  /// The time for which the previous release may still be in use after a migration. Its workers end
  /// within an hour, and its one-time links expire within a day.
  public static let transition = Seconds.hours(25)

  /// Returns the end of ``transition`` after this migration of a module; nil once it has passed.
  ///
  /// A job waits for it before it removes data that the previous release still reads.
  public func transitionEnd(
    in module: ModuleID, at now: Instant, on connection: Connection
  ) throws -> Instant? {
    let applied = try connection.row(
      """
      SELECT applied_at FROM migrations WHERE module = \(module.rawValue) AND name = \(name)
      """
    ) { $0.instant(0) }
    // A time in the future comes from a wrong clock. Do not wait for it.
    guard let applied, applied <= now, now < applied + Self.transition else { return nil }
    return applied + Self.transition
  }
}
