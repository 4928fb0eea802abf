/// The part of the database that one person's data takes, or may take.
public struct StorageUse: Sendable, Equatable {
  /// The bytes of all values that are text or bytes, sealed ones as they are stored.
  public var bytes: Int
  /// The rows of all tables: a contact with three telephone numbers has five.
  public var records: Int

  /// An amount; nothing by default.
  public init(bytes: Int = 0, records: Int = 0) {
    self.bytes = bytes
    self.records = records
  }

  /// Both amounts together.
  public static func + (one: StorageUse, other: StorageUse) -> StorageUse {
    StorageUse(bytes: one.bytes + other.bytes, records: one.records + other.records)
  }

  /// The rest of one amount without the other.
  public static func - (one: StorageUse, other: StorageUse) -> StorageUse {
    StorageUse(bytes: one.bytes - other.bytes, records: one.records - other.records)
  }

  /// True if neither bytes nor records are more than the other's.
  public func fits(in other: StorageUse) -> Bool {
    bytes <= other.bytes && records <= other.records
  }
}
