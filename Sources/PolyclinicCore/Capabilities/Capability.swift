/// What one module does for others, which never name it: a small protocol whose functions take and
/// return plain values.
///
/// One module offers it, `Offer((any CareRelations).self, relations)`; others ask ``Portal/find(_:)``
/// for it, and do without where they get nil.
public protocol Capability: Sendable {}

/// A capability that a module offers, with what does it.
public struct Offer: Sendable {
  /// The capability as a person reads it, such as `CareRelations`.
  public let name: String
  package let capability: ObjectIdentifier
  fileprivate let value: any Sendable

  /// `value` does for others what the protocol says: `Offer((any CareRelations).self, relations)`.
  public init<Offered: Sendable>(_ capability: Offered.Type, _ value: Offered) {
    name = "\(capability)".split(separator: " ").last.map(String.init) ?? ""
    self.capability = ObjectIdentifier(capability)
    self.value = value
  }
}

/// What the enabled modules offer, by capability.
public struct Offers: Sendable {
  private let values: [ObjectIdentifier: any Sendable]

  /// Of two offers of one capability the first holds; the installation refuses both before.
  public init(_ offers: [Offer] = []) {
    values = Dictionary(
      offers.map { ($0.capability, $0.value) }, uniquingKeysWith: { one, _ in one })
  }

  /// What is offered; nil when nobody offers it.
  public func find<Offered: Sendable>(_ capability: Offered.Type) -> Offered? {
    values[ObjectIdentifier(capability)] as? Offered
  }
}
