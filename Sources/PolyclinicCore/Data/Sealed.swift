/// Bytes that only the keys of one person open: what is stored of anything that says something about somebody.
public struct Sealed: Sendable, Equatable {
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
