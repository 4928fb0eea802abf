/// Something stored that follows from a person's records, such as a ``SealedIndex``: looked after by
/// `polyclinic check`, and made anew by `polyclinic check --rebuild`.
public struct Derived: Sendable {
  /// Unique within the module.
  public let name: String
  /// Whether it can be read and agrees with the records of one person.
  public let isSound: @Sendable (Keys, Connection) throws -> Bool
  /// Makes it anew from the records of one person.
  public let rebuild: @Sendable (Keys, Connection) throws -> Void

  /// `isSound` throws where nothing can be read; `rebuild` throws away what is there: it may be
  /// damaged or of an older shape.
  public init(
    _ name: StaticString,
    isSound: @escaping @Sendable (Keys, Connection) throws -> Bool,
    rebuild: @escaping @Sendable (Keys, Connection) throws -> Void
  ) {
    self.name = name.description
    self.isSound = isSound
    self.rebuild = rebuild
  }
}
