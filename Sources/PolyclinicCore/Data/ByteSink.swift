/// Takes the bytes of a file while it is written, and passes them on in pieces of some 64 KB, so that
/// the file is never in memory as a whole.
public final class ByteSink {
  /// The size from which a piece is passed on.
  package static let pieceSize = 65_536

  private let pass: ([UInt8]) throws -> Void
  private var piece: [UInt8] = []
  /// True if a piece was passed on, and cannot be taken back.
  package private(set) var hasPassed = false

  /// A sink that gives each piece to `pass`, in order.
  public init(_ pass: @escaping ([UInt8]) throws -> Void) { self.pass = pass }

  /// Adds bytes to the current piece. Throws what the receiver of the pieces throws.
  public func write(_ bytes: some Sequence<UInt8>) throws {
    piece.append(contentsOf: bytes)
    if piece.count >= Self.pieceSize { try flush() }
  }

  /// Passes on the rest; the sink's owner calls it at the end.
  public func flush() throws {
    if piece.isEmpty { return }
    hasPassed = true
    try pass(piece)
    empty()
  }

  /// Drops the bytes that were not passed on yet, and begins anew.
  package func discard() {
    empty()
    hasPassed = false
  }

  /// Keeps the memory of a usual piece for the next one, and no more.
  private func empty() {
    if piece.capacity > 4 * Self.pieceSize { piece = [] }
    piece.removeAll(keepingCapacity: true)
  }

  /// Returns all that `write` writes, as one array: for what is known to be small.
  public static func bytes(_ write: (ByteSink) throws -> Void) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let sink = ByteSink { bytes += $0 }
    try write(sink)
    try sink.flush()
    return bytes
  }
}
