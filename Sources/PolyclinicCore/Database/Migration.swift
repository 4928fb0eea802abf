/// One step of the schema's history. It is applied once, and never changed or removed once a
/// release has it.
///
/// A migration runs in its own transaction, before any worker of its release starts. It must leave
/// the previous release working: it adds, does not rename or remove anything that release still
/// uses, and refuses no row that it writes. `ModuleContract` and the portal's tests compare the
/// schema before and after.
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
