import CSQLite
import PolyclinicCore

/// The bytes of a database's file while they do not change. ``SQLiteDatabase/snapshot(_:)`` passes
/// it to its closure, and it is valid only there.
public struct FileSnapshot {
  /// The size of the database in bytes.
  public let byteCount: Int
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// Gets SQLite's own open file. Opening and closing another descriptor of the same file would
  /// drop the locks that this process holds on it (fcntl_locking(2)).
  init(of handle: OpaquePointer, byteCount: Int) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, byteCount > 0 else {
      throw DatabaseError(sqlite: code, detail: "cannot look at the database's file")
    }
    self.file = file
    self.byteCount = byteCount
  }

  /// Fills the buffer with the bytes from `offset` on. Throws ``DatabaseError``, also if the file
  /// ends before the buffer is full.
  public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    guard let read = file.pointee.pMethods?.pointee.xRead else {
      throw DatabaseError.misuse("a file that cannot be read")
    }
    let code = read(file, buffer.baseAddress, Int32(buffer.count), Int64(offset))
    guard code == SQLITE_OK else {
      throw DatabaseError(
        sqlite: code, detail: "\(String(cString: sqlite3_errstr(code))), in a copy")
    }
  }
}
