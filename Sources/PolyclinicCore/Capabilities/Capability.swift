/// A service that one module provides to others, which do not depend on it. It is a small protocol
/// whose functions take and return plain values.
///
/// One module offers it, `Offer((any CareRelations).self, relations)`. Other modules get it from
/// ``Portal/find(_:)``, and must work without it if that returns nil.
public protocol Capability: Sendable {}

/// A capability that a module offers, with its implementation.
public struct Offer: Sendable {
  /// The name of the capability, such as `CareRelations`.
  public let name: String
  package let capability: ObjectIdentifier
  fileprivate let value: any Sendable

  /// Creates an offer. `value` implements the protocol:
  /// `Offer((any CareRelations).self, relations)`.
  public init<Offered: Sendable>(_ capability: Offered.Type, _ value: Offered) {
    name = "\(capability)".split(separator: " ").last.map(String.init) ?? ""
    self.capability = ObjectIdentifier(capability)
    self.value = value
  }
}

/// The offers of the enabled modules, by capability.
package struct Offers: Sendable {
  private let values: [ObjectIdentifier: any Sendable]

  /// Creates the offers. The first of two offers of one capability is used, but the installation
  /// refuses both before.
  package init(_ offers: [Offer] = []) {
    values = Dictionary(
      offers.map { ($0.capability, $0.value) }, uniquingKeysWith: { one, _ in one })
  }

  /// Returns these offers with one of the portal itself, in place of a module's of the same
  /// capability.
  package func adding(_ offer: Offer) -> Offers {
    Offers(values.merging([offer.capability: offer.value]) { $1 })
  }

  private init(_ values: [ObjectIdentifier: any Sendable]) { self.values = values }

  /// Returns the implementation of a capability; nil if no enabled module offers it.
  package func find<Offered: Sendable>(_ capability: Offered.Type) -> Offered? {
    values[ObjectIdentifier(capability)] as? Offered
  }
}
