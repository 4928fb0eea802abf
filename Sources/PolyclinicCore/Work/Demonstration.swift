/// What a module shows of itself in a portal that is there to be looked at: fictional data of a
/// fictional town, the same in each making.
public struct Demonstration: Sendable {
  /// Fills the module's tables; the transaction is one for all modules, and the portal's clock stands.
  public let fill: @Sendable (inout Town, Portal, Connection) throws -> Void

  /// `fill` is asked once, in a database that holds the town's people and nothing else.
  public init(_ fill: @escaping @Sendable (inout Town, Portal, Connection) throws -> Void) {
    self.fill = fill
  }

  /// The people of a demonstration, and the dice that its modules throw.
  public struct Town: Sendable {
    /// Everybody who has an account, in an order that stays.
    public let people: [Inhabitant]
    /// Falls alike in each making.
    public var dice: Dice

    /// Made by the server.
    public init(people: [Inhabitant], dice: Dice) {
      self.people = people
      self.dice = dice
    }

    /// Those who have a role; every one of them is a patient, too.
    public func people(having role: Role) -> [Inhabitant] {
      people.filter { $0.visitor.roles.contains(role) }
    }

    /// Those who are patients and nothing else.
    public var patients: [Inhabitant] { people.filter { $0.visitor.roles == [.patient] } }
  }

  /// Somebody of the town.
  public struct Inhabitant: Sendable {
    /// As who the person signs in.
    public let visitor: Visitor
    /// What opens the person's data.
    public let keys: Keys

    /// Made by the server.
    public init(visitor: Visitor, keys: Keys) {
      self.visitor = visitor
      self.keys = keys
    }
  }

  /// Numbers that look like chance and come the same for a seed (SplitMix64: Steele, Lea, Flood, "Fast
  /// Splittable Pseudorandom Number Generators").
  public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Dice that fall the same for the same seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
