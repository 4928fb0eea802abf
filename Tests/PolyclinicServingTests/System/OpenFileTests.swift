import Glibc
import PolyclinicTestSupport
import Testing

@testable import PolyclinicSystem

@Suite struct OpenFileTests {
  @Test func `reading stops one byte past the limit`() throws {
    try Scratch.with { (directory: String) throws in
      let path = directory + "/file"
      let bytes = [UInt8](repeating: 7, count: 200_000)
      try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL).write(bytes)
      let whole = try OpenFile(path, O_RDONLY).read()
      #expect(whole == bytes)
      let exact = try OpenFile(path, O_RDONLY).read(atMost: 200_000)
      #expect(exact == bytes)
      let more = try OpenFile(path, O_RDONLY).read(atMost: 99_999)
      #expect(more.count == 100_000)
    }
  }

  @Test func `an error names the system call, the file and the reason`() throws {
    let error = #expect(throws: SystemError.self) { _ = try OpenFile("/nowhere/file", O_RDONLY) }
    #expect(error?.code == ENOENT)
    #expect(error?.description.hasPrefix("open /nowhere/file: ") == true)
  }

  @Test(arguments: [
    (ENOENT, "Check the name"), (EISDIR, "a directory"), (EEXIST, "another name"),
    (EACCES, "as the owner"), (EROFS, "writable"), (ENOSPC, "Free some space"), (EMFILE, "ulimit"),
    (EIO, "The disk"),
  ])
  func `an error's sentence contains a remedy`(code: Int32, remedy: String) {
    let sentence = SystemError("open", code, on: "file").sentence
    #expect(sentence.hasPrefix("open file: \(String(cString: strerror(code))). "))
    #expect(sentence.contains(remedy))
  }

  @Test func `a lock is exclusive until its body returns`() throws {
    try Scratch.with { (directory: String) throws in
      let other = open(directory, O_RDONLY | O_DIRECTORY)
      defer { close(other) }
      let wasFree = try OpenFile(directory, O_RDONLY | O_DIRECTORY).whileLocked {
        OpenFile.lock(other, attempts: 1)
      }
      #expect(!wasFree)
      #expect(OpenFile.lock(other, attempts: 1))
    }
  }
}
