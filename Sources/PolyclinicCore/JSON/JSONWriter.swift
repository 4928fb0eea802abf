extension JSON {
  /// Writes one JSON value to a sink piece by piece: an object by member or an array by element. An
  /// export of thousands of records therefore needs only the memory of one.
  ///
  /// The first call decides between object and array. A writer that is never called writes nothing.
  public final class Writer {
    /// The error of writing both members and elements to one value.
    public struct MixedValue: Error {}

    private enum Kind { case object, array }

    private let sink: ByteSink
    private let wrap: (JSON) -> JSON
    private var kind: Kind?

    /// Creates a writer to `sink`. The caller must call ``finish()`` at the end.
    public convenience init(to sink: ByteSink) { self.init(to: sink, wrapping: { $0 }) }

    private init(to sink: ByteSink, wrapping wrap: @escaping (JSON) -> JSON) {
      self.sink = sink
      self.wrap = wrap
    }

    /// Adds a member to the object. Throws ``MixedValue`` if the value is an array.
    public func write(_ name: String, _ value: JSON) throws {
      try begin(name)
      try sink.write(value.encoded)
    }

    /// Adds a member with an array of the elements that `elements` appends. Throws ``MixedValue``
    /// if the value is an array.
    public func writeArray(_ name: String, _ elements: (Writer) throws -> Void) throws {
      try writeArray(name, wrapping: { $0 }, elements)
    }

    /// Adds an array like ``writeArray(_:_:)``, with each element converted by `wrap`.
    package func writeArray(
      _ name: String, wrapping wrap: @escaping (JSON) -> JSON,
      _ elements: (Writer) throws -> Void
    ) throws {
      try begin(name)
      let array = Writer(to: sink, wrapping: wrap)
      try elements(array)
      if array.kind == nil { try array.begin(.array) }
      try array.finish()
    }

    /// Adds an element to the array. Throws ``MixedValue`` if the value is an object.
    public func append(_ element: JSON) throws {
      try begin(.array)
      try sink.write(wrap(element).encoded)
    }

    /// Writes the closing bracket.
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

    /// Writes the opening bracket before the first member or element, or the comma before another
    /// one.
    private func begin(_ kind: Kind) throws {
      switch self.kind {
      case kind: try sink.write(",".utf8)
      case nil: try sink.write((kind == .object ? "{" : "[").utf8)
      default: throw MixedValue()
      }
      self.kind = kind
    }

    /// Returns everything that `write` writes as one array of bytes, for values that are known to
    /// be small.
    public static func bytes(_ write: (Writer) throws -> Void) throws -> [UInt8] {
      try ByteSink.bytes { sink in
        let writer = Writer(to: sink)
        try write(writer)
        try writer.finish()
      }
    }
  }
}
