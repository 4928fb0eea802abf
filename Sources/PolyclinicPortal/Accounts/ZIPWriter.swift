import CArchive
import PolyclinicCore

/// Writes a ZIP archive to a sink with libarchive, in pieces and without knowing file sizes in
/// advance.
package final class ZIPWriter {
  /// An error of libarchive.
  package struct Failure: Error {
    let code: Int32
  }

  private let archive: OpaquePointer
  private let sink: ByteSink
  private let now: Instant
  /// The sink's error, kept here because a libarchive callback cannot throw.
  private var sinkError: (any Error)?

  private init(to sink: ByteSink, at now: Instant) throws {
    guard let archive = archive_write_new() else { throw Failure(code: ARCHIVE_FATAL) }
    self.archive = archive
    self.sink = sink
    self.now = now
  }

  deinit {
    // Without this, freeing an unfinished archive would write its end, as if it were complete.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  /// Writes an archive with the files that `files` adds, all with the same modification time.
  ///
  /// Throws ``Failure``, and errors of the sink and of `files`.
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

  /// Adds a file with the content that `write` writes. Adds nothing if it writes nothing.
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
    // Compresses only half as well as the best level but several times faster, because the person
    // waits for the archive.
    try check(archive_write_set_options(archive, "zip:compression-level=1"))
    try check(archive_write_set_bytes_per_block(archive, Int32(ByteSink.pieceSize)))
    // Without this, libarchive pads the last block with zeros.
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
