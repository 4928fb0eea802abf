import Glibc
import Testing

@testable import PolyclinicServer

@Suite struct ProcessFilesTests {
  @Test func `the lock is held once, names its holder, and is free after release`() throws {
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

  @Test func `an endpoint is read from the configuration`() throws {
    #expect(try Endpoint("unix:run/p.sock", relativeTo: "/srv") == .unix(path: "/srv/run/p.sock"))
    #expect(try Endpoint("unix:/run/p.sock", relativeTo: "/srv") == .unix(path: "/run/p.sock"))
    #expect(try Endpoint("127.0.0.1:9000", relativeTo: "/srv") == .tcp(port: 9_000))
    #expect(try Endpoint("localhost:9000", relativeTo: "/srv") == .tcp(port: 9_000))
  }

  @Test(arguments: ["", "unix:", "9000", "127.0.0.1:0", "127.0.0.1:70000", "0.0.0.0:9000", "a:b:1"])
  func `an endpoint that cannot be, or that others could reach, is refused`(text: String) {
    #expect(throws: Misuse.self) { try Endpoint(text, relativeTo: "/srv") }
  }

  @Test func `a stale socket is replaced, and the new one is not open to others`() throws {
    try withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/p.sock")
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

  @Test func `a file in the socket's place stays as it is`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/p.sock"
      try PidFile(path).release()
      #expect(throws: Misuse.self) { _ = try Endpoint.unix(path: path).listen(backlog: 8) }
      #expect(access(path, F_OK) == 0)
    }
  }

  @Test func `a path that is too long for a socket is refused`() {
    let path = "/" + String(repeating: "x", count: 200)
    #expect(throws: Misuse.self) { _ = try Endpoint.unix(path: path).listen(backlog: 8) }
  }
}
