import CArchive
import PolyclinicCore

/// A ZIP archive, made in memory by libarchive.
enum ZIPArchive {
  /// libarchive could not go on.
  struct Failure: Error {
    let code: Int32
  }

  /// The archive's bytes, its files in order, all of the same moment; throws ``Failure``.
  static func bytes(_ files: [(name: String, content: [UInt8])], at now: Instant) throws -> [UInt8]
  {
    // As if nothing could be made smaller, with room for what the format adds.
    let room = files.reduce(65_536) { $0 + $1.content.count * 2 + 1_024 }
    guard let archive = archive_write_new() else { throw Failure(code: ARCHIVE_FATAL) }
    defer { archive_write_free(archive) }
    return try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      try check(archive_write_set_format_zip(archive))
      try check(archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &count))
      for file in files { try add(file.name, file.content, at: now, to: archive) }
      // The count is whole when the archive is closed.
      try check(archive_write_close(archive))
    }
  }

  private static func add(
    _ name: String, _ content: [UInt8], at now: Instant, to archive: OpaquePointer
  ) throws {
    guard let entry = archive_entry_new() else { throw Failure(code: ARCHIVE_FATAL) }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname_utf8(entry, name)
    archive_entry_set_size(entry, Int64(content.count))
    archive_entry_set_filetype(entry, UInt32(S_IFREG))
    archive_entry_set_perm(entry, 0o600)
    archive_entry_set_mtime(entry, Int(now.seconds), 0)
    try check(archive_write_header(archive, entry))
    let written = archive_write_data(archive, content, content.count)
    guard written == content.count else { throw Failure(code: Int32(truncatingIfNeeded: written)) }
  }

  private static func check(_ code: Int32) throws {
    guard code == ARCHIVE_OK else { throw Failure(code: code) }
  }
}
