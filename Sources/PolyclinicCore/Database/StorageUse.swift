extension Connection {
  /// The storage in the database that one person's data uses, or may use.
  public struct StorageUse: Sendable, Equatable {
    /// The bytes of all text and byte values. Sealed values count as they are stored.
    public var bytes: Int
    /// The rows of all tables. For example, a contact has one, an imported one two.
    public var records: Int

    /// Creates an amount; zero by default.
    public init(bytes: Int = 0, records: Int = 0) {
      self.bytes = bytes
      self.records = records
    }

    /// Returns the sum of both amounts.
    public static func + (one: StorageUse, other: StorageUse) -> StorageUse {
      StorageUse(bytes: one.bytes + other.bytes, records: one.records + other.records)
    }

    /// Returns the first amount without the second.
    public static func - (one: StorageUse, other: StorageUse) -> StorageUse {
      StorageUse(bytes: one.bytes - other.bytes, records: one.records - other.records)
    }

    /// Returns true if neither bytes nor records exceed those of `other`.
    public func fits(in other: StorageUse) -> Bool {
      bytes <= other.bytes && records <= other.records
    }
  }
}
