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
