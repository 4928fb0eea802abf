/// A module's sample data for a demonstration portal: fictional data of a fictional town.
///
/// It is the same each time.
public struct Demonstration: Sendable {
  /// Fills the module's tables, in one transaction for all modules and with the portal's clock
  /// stopped.
  public let fill: @Sendable (inout Town, Portal, Work) throws -> Void

  /// Creates a demonstration; `fill` is called once, in a database that holds only the town's
  /// people.
  public init(_ fill: @escaping @Sendable (inout Town, Portal, Work) throws -> Void) {
    self.fill = fill
  }

  /// The people of a demonstration, with its random number generator.
  public struct Town: Sendable {
    /// All people with an account, in a stable order.
    public let people: [Inhabitant]
    /// The generator, which produces the same numbers each time.
    public var dice: Dice

    /// Creates a town; the server does this.
    public init(people: [Inhabitant], dice: Dice) {
      self.people = people
      self.dice = dice
      patients = people.filter { $0.visitor.roles == [.patient] }
    }

    /// Returns the people with a role; each of them is also a patient.
    public func people(having role: Role) -> [Inhabitant] {
      people.filter { $0.visitor.roles.contains(role) }
    }

    /// The people with no role but patient.
    public let patients: [Inhabitant]
  }

  /// A person of the town.
  public struct Inhabitant: Sendable {
    /// The person as a signed-in visitor.
    public let visitor: Visitor
    /// The keys that open the person's data.
    public let keys: Keys
    /// The language in which the person writes.
    public let language: Language
    /// The person's age in years.
    public let age: Int
    /// True for women and girls.
    public let isFemale: Bool

    /// True for a person whom paediatricians treat.
    public var isChild: Bool { age < 18 }

    /// Creates an inhabitant; the server does this.
    public init(visitor: Visitor, keys: Keys, language: Language, age: Int, isFemale: Bool) {
      self.visitor = visitor
      self.keys = keys
      self.language = language
      self.age = age
      self.isFemale = isFemale
    }
  }

  /// A pseudorandom number generator with a seed (SplitMix64: Steele, Lea, Flood, "Fast Splittable
  /// Pseudorandom Number Generators").
  public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; equal seeds produce equal sequences.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
