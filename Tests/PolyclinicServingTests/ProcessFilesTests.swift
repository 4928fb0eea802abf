import Glibc
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct ProcessFilesTests {
  @Test func `the lock is exclusive, names its holder and is free after release`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/p.pid"
      #expect(try PidFile.holder(of: path) == nil)
      let first = try PidFile(path)
      #expect(try PidFile.holder(of: path) == getpid())
      let error = #expect(throws: AlreadyRunning.self) { _ = try PidFile(path) }
      #expect(error?.pid == getpid())
      first.release()
      #expect(try PidFile.holder(of: path) == nil)
      try PidFile(path).release()
    }
  }

  @Test func `a pipe or a symbolic link as the lock file is refused`() throws {
    try withTemporaryDirectory { directory in
      let pipe = "\(directory)/pipe.pid"
      let link = "\(directory)/link.pid"
      mkfifo(pipe, 0o600)
      symlink("\(directory)/elsewhere", link)
      #expect(throws: Misuse.self) { _ = try PidFile.holder(of: pipe) }
      #expect(throws: Misuse.self) { _ = try PidFile(pipe) }
      #expect(throws: SystemError.self) { _ = try PidFile.holder(of: link) }
      #expect(throws: SystemError.self) { _ = try PidFile(link) }
      #expect(access("\(directory)/elsewhere", F_OK) != 0)
    }
  }

  @Test func `a stale socket is replaced by one with mode 660`() throws {
    try withTemporaryDirectory { directory in
      let endpoint = Endpoint(path: "\(directory)/p.sock")
      close(try endpoint.listen(backlog: 8))
      let descriptor = try endpoint.listen(backlog: 8)
      defer { close(descriptor) }
      var file = stat()
      #expect(stat("\(directory)/p.sock", &file) == 0)
      #expect(file.st_mode & 0o777 == 0o660)
      endpoint.remove()
      #expect(stat("\(directory)/p.sock", &file) != 0)
    }
  }

  @Test func `a file at the socket's path is refused and not removed`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/p.sock"
      try PidFile(path).release()
      #expect(throws: Misuse.self) { _ = try Endpoint(path: path).listen(backlog: 8) }
      #expect(access(path, F_OK) == 0)
    }
  }

  @Test func `a path that is too long for a socket is refused`() {
    let path = "/" + String(repeating: "x", count: 200)
    #expect(throws: Misuse.self) { _ = try Endpoint(path: path).listen(backlog: 8) }
  }
}
