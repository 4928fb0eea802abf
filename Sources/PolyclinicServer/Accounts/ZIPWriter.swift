import CArchive
import PolyclinicCore

/// Writes a ZIP archive to a sink by libarchive, in pieces and without knowing how long its files are.
final class ZIPWriter {
  /// libarchive could not go on.
  struct Failure: Error {
    let code: Int32
  }

  private let archive: OpaquePointer
  private let sink: ByteSink
  private let now: Instant
  /// The error that the sink threw, which libarchive's callback cannot pass on.
  private var sinkError: (any Error)?

  private init(to sink: ByteSink, at now: Instant) throws {
    guard let archive = archive_write_new() else { throw Failure(code: ARCHIVE_FATAL) }
    self.archive = archive
    self.sink = sink
    self.now = now
  }

  deinit {
    // An archive that was not closed is freed without writing its end, as if it were whole.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  /// Writes the archive of the files that `files` adds, all of the same moment. Throws ``Failure``, and
  /// what the sink and `files` throw.
  static func write(
    to sink: ByteSink, at now: Instant, _ files: (ZIPWriter) throws -> Void
  ) throws {
    let writer = try ZIPWriter(to: sink, at: now)
    try writer.open()
    try files(writer)
    try writer.check(archive_write_close(writer.archive))
  }

  /// Adds a file with the content that `write` writes.
  func add(_ name: String, _ write: (ByteSink) throws -> Void) throws {
    try begin(name)
    try pass(write) {}
  }

  /// Adds a file with the content that `write` writes; none where it writes nothing.
  func addUnlessEmpty(_ name: String, _ write: (ByteSink) throws -> Void) throws {
    var isBegun = false
    try pass(write) {
      if isBegun { return }
      try begin(name)
      isBegun = true
    }
  }

  private func pass(
    _ write: (ByteSink) throws -> Void, before: () throws -> Void
  ) throws {
    try withoutActuallyEscaping(before) { before in
      let content = ByteSink { piece in
        try before()
        let written = archive_write_data(self.archive, piece, piece.count)
        try self.check(written == piece.count ? ARCHIVE_OK : Int32(truncatingIfNeeded: written))
      }
      try write(content)
      try content.flush()
    }
  }

  private func open() throws {
    try check(archive_write_set_format_zip(archive))
    // Half as small as the best level, at a multiple of its speed: the person waits for it.
    try check(archive_write_set_options(archive, "zip:compression-level=1"))
    try check(archive_write_set_bytes_per_block(archive, Int32(ByteSink.pieceSize)))
    // Else the last block is filled up with zeros.
    try check(archive_write_set_bytes_in_last_block(archive, 1))
    try check(
      archive_write_open2(
        archive, Unmanaged.passUnretained(self).toOpaque(), nil,
        { _, writer, bytes, count in
          guard let writer, let bytes else { return -1 }
          return Unmanaged<ZIPWriter>.fromOpaque(writer).takeUnretainedValue()
            .take(UnsafeRawBufferPointer(start: bytes, count: count))
        }, nil, nil))
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    do { try sink.write(bytes) } catch {
      sinkError = error
      return -1
    }
    return bytes.count
  }

  private func begin(_ name: String) throws {
    guard let entry = archive_entry_new() else { throw Failure(code: ARCHIVE_FATAL) }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname_utf8(entry, name)
    archive_entry_set_filetype(entry, UInt32(S_IFREG))
    archive_entry_set_perm(entry, 0o600)
    archive_entry_set_mtime(entry, Int(now.seconds), 0)
    try check(archive_write_header(archive, entry))
  }

  private func check(_ code: Int32) throws {
    if let sinkError { throw sinkError }
    guard code == ARCHIVE_OK else { throw Failure(code: code) }
  }
}
