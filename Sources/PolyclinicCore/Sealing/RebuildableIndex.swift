/// Stored data that can be rebuilt from a person's records, such as a ``SealedIndex``.
/// `polyclinic check` verifies it, and `polyclinic check --rebuild` rebuilds it.
public struct RebuildableIndex: Sendable {
  /// The name of the data, unique within the module.
  public let name: String
  /// Returns true if the data can be read and agrees with the records of one person.
  public let isSound: @Sendable (Work) throws -> Bool
  /// Rebuilds the data from the records of one person.
  public let rebuild: @Sendable (Work) throws -> Void

  /// Creates a description of the data. `isSound` throws if the data cannot be read. `rebuild`
  /// discards the stored data, because it may be damaged or in an older format.
  public init(
    _ name: StaticString,
    isSound: @escaping @Sendable (Work) throws -> Bool,
    rebuild: @escaping @Sendable (Work) throws -> Void
  ) {
    self.name = name.description
    self.isSound = isSound
    self.rebuild = rebuild
  }
}
