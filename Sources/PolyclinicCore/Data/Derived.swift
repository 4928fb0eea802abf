/// Something stored that follows from a person's records, such as a ``SealedIndex``: made anew by
/// `polyclinic check --rebuild`.
public struct Derived: Sendable {
  /// Unique within the module.
  public let name: String
  /// Makes it anew from the records of one person.
  public let rebuild: @Sendable (Keys, Connection) throws -> Void

  /// `rebuild` throws away what is there: it may be damaged or of an older shape.
  public init(
    _ name: StaticString, rebuild: @escaping @Sendable (Keys, Connection) throws -> Void
  ) {
    self.name = name.description
    self.rebuild = rebuild
  }
}
