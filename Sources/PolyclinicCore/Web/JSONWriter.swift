/// Writes one JSON value to a sink while it is made: an object member by member, or an array element by
/// element. So a copy of thousands of records needs the memory of one.
///
/// The first call decides which of the two it is; a writer that is never called writes nothing.
public final class JSONWriter {
  /// Members and elements were to stand side by side in one value.
  public struct MixedValue: Error {}

  private enum Kind { case object, array }

  private let sink: ByteSink
  private let wrap: (JSON) -> JSON
  private var kind: Kind?

  /// A writer to `sink`; its owner calls ``finish()`` at the end.
  public convenience init(to sink: ByteSink) { self.init(to: sink, wrapping: { $0 }) }

  private init(to sink: ByteSink, wrapping wrap: @escaping (JSON) -> JSON) {
    self.sink = sink
    self.wrap = wrap
  }

  /// Adds a member to the object. Throws ``MixedValue`` in an array.
  public func write(_ name: String, _ value: JSON) throws {
    try begin(name)
    try sink.write(value.encoded)
  }

  /// Adds a member to the object: an array of what `elements` appends. Throws ``MixedValue`` in an array.
  public func writeArray(_ name: String, _ elements: (JSONWriter) throws -> Void) throws {
    try writeArray(name, wrapping: { $0 }, elements)
  }

  /// Adds an array as ``writeArray(_:_:)`` does, with each element put into another value.
  package func writeArray(
    _ name: String, wrapping wrap: @escaping (JSON) -> JSON,
    _ elements: (JSONWriter) throws -> Void
  ) throws {
    try begin(name)
    let array = JSONWriter(to: sink, wrapping: wrap)
    try elements(array)
    if array.kind == nil { try array.begin(.array) }
    try array.finish()
  }

  /// Adds an element to the array. Throws ``MixedValue`` in an object.
  public func append(_ element: JSON) throws {
    try begin(.array)
    try sink.write(wrap(element).encoded)
  }

  /// Ends the value.
  public func finish() throws {
    switch kind {
    case .object: try sink.write("}".utf8)
    case .array: try sink.write("]".utf8)
    case nil: break
    }
  }

  private func begin(_ name: String) throws {
    try begin(.object)
    try sink.write(JSON.string(name).encoded)
    try sink.write(":".utf8)
  }

  /// Writes what stands before the next member or element.
  private func begin(_ kind: Kind) throws {
    switch self.kind {
    case kind: try sink.write(",".utf8)
    case nil: try sink.write((kind == .object ? "{" : "[").utf8)
    default: throw MixedValue()
    }
    self.kind = kind
  }

  /// Returns all that `write` writes, as one array of bytes: for what is known to be small.
  public static func bytes(_ write: (JSONWriter) throws -> Void) throws -> [UInt8] {
    try ByteSink.bytes { sink in
      let writer = JSONWriter(to: sink)
      try write(writer)
      try writer.finish()
    }
  }
}
