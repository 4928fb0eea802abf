import CSQLite
import PolyclinicCore

/// The bytes of a database's file for as long as nobody changes them: what
/// ``SQLiteDatabase/snapshot(_:)`` hands out, and valid only within its closure.
public struct FileSnapshot {
  /// How long the database is.
  public let byteCount: Int
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// Asks SQLite for its own open file: to open and close another descriptor of the same file would
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

  /// Fills the buffer with what stands from `offset` on. Throws ``DatabaseError``, also where the
  /// file ends before the buffer does.
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
