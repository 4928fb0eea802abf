/// Collects the bytes of a file and passes them on in pieces of about 64 KB, so that the whole file
/// is never in memory.
public final class ByteSink {
  /// The size in bytes from which a piece is passed on.
  package static let pieceSize = 65_536

  private let pass: ([UInt8]) throws -> Void
  private var piece: [UInt8] = []
  /// True if a piece was passed on, which cannot be undone.
  package private(set) var hasPassed = false

  /// Creates a sink that calls `pass` with each piece, in order.
  public init(_ pass: @escaping ([UInt8]) throws -> Void) { self.pass = pass }

  /// Adds bytes to the current piece. Throws the errors of the closure that receives the pieces.
  public func write(_ bytes: some Sequence<UInt8>) throws {
    piece.append(contentsOf: bytes)
    if piece.count >= Self.pieceSize { try flush() }
  }

  /// Passes on the rest. The sink's owner calls it at the end.
  public func flush() throws {
    if piece.isEmpty { return }
    hasPassed = true
    try pass(piece)
    empty()
  }

  /// Drops the bytes that were not passed on yet, and resets ``hasPassed``.
  package func discard() {
    empty()
    hasPassed = false
  }

  /// Empties the piece. Keeps its memory for the next one, unless it grew beyond four usual pieces.
  private func empty() {
    if piece.capacity > 4 * Self.pieceSize { piece = [] }
    piece.removeAll(keepingCapacity: true)
  }

  /// Returns all bytes that `write` writes as one array. Meant for content that is known to be
  /// small.
  public static func bytes(_ write: (ByteSink) throws -> Void) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let sink = ByteSink { bytes += $0 }
    try write(sink)
    try sink.flush()
    return bytes
  }
}
