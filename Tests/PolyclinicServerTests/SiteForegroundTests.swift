import Glibc
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem

@Suite struct SiteForegroundTests {
  private func run(_ script: String) throws -> Int32 {
    try ChildProcess(
      "sh", Program(path: "/bin/sh", arguments: ["-c", script], environment: [:])
    ).wait()
  }

  @Test func `wait returns the exit status, or 128 plus the signal, as shells do`() throws {
    #expect(try run("exit 3") == 3)
    #expect(try run("kill -9 $$") == 128 + 9)
    #expect(try run("exit 0") == 0)
  }

  @Test func `a log above its limit is rotated and replaces the earlier rotated log`() throws {
    try withTemporaryDirectory { directory in
      let log = RequestLog(path: "\(directory)/access.log", limit: 10)
      #expect(try !log.rotate())
      for text in ["the first lines\n", "the next lines\n"] {
        try TextFile.create(text, at: log.path, mode: 0o600)
        #expect(try log.rotate() && TextFile.read(log.path + ".1") == text)
      }
      try TextFile.create("short\n", at: log.path, mode: 0o600)
      #expect(try !log.rotate() && TextFile.read(log.path) == "short\n")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `changing a tree's owner changes its contents but no link targets`() throws {
    try withTemporaryDirectory { directory in
      for path in ["outside", "tree", "tree/inner"] { mkdir("\(directory)/\(path)", 0o700) }
      for path in ["outside/file", "outside/twice", "tree/inner/file"] {
        try TextFile.create("", at: "\(directory)/\(path)", mode: 0o600)
      }
      symlink("\(directory)/outside", "\(directory)/tree/inner/link")
      link("\(directory)/outside/twice", "\(directory)/tree/second-name")
      mkfifo("\(directory)/tree/pipe", 0o600)
      try OwnedTree("\(directory)/tree").give(to: 1_234, 1_235)
      func owner(_ path: String) -> uid_t {
        var status = stat()
        return lstat("\(directory)/\(path)", &status) == 0 ? status.st_uid : .max
      }
      for path in ["tree", "tree/inner", "tree/inner/file", "tree/inner/link", "tree/pipe"] {
        #expect(owner(path) == 1_234, "\(path)")
      }
      for path in ["outside", "outside/file", "outside/twice"] { #expect(owner(path) == 0) }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root has files of another user"))
  func `an entry of another user is found, unless it is a directory of nginx`() throws {
    try withTemporaryDirectory { directory in
      for path in ["tree", "tree/nginx", "tree/nginx/bodies"] {
        mkdir("\(directory)/\(path)", 0o700)
      }
      lchown("\(directory)/tree/nginx/bodies", 1_234, 1_235)
      let nginx = try #require(FilePath.real("\(directory)/tree/nginx"))
      func foreign() throws -> String? {
        try OwnedTree("\(directory)/tree").foreignEntry(besides: nginx)
      }
      #expect(try foreign() == nil)
      symlink("/", "\(nginx)/link")
      lchown("\(nginx)/link", 1_234, 1_235)
      #expect(try foreign() == "\(nginx)/link")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a tree that another user could have replaced is refused`() throws {
    func owner(_ path: String) throws -> uid_t { try OwnedTree(path).owner }
    try withTemporaryDirectory { directory throws in
      let shared = "\(directory)/shared"
      let tree = "\(shared)/tree"
      mkdir(shared, 0o755)
      #expect(try owner(tree) == 0)
      chmod(shared, 0o777)
      #expect(throws: FirstRunError.self) { try owner(tree) }
      chmod(shared, 0o1777)
      #expect(try owner(tree) == 0)
      lchown(shared, 1_234, 1_235)
      #expect(throws: FirstRunError.self) { try owner(tree) }
      #expect(try owner("\(shared)/their/tree") == 1_234)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a path may contain links only of root and of the tree's owner`() throws {
    func path(_ path: String) throws -> String { try OwnedTree(path).path }
    try withTemporaryDirectory { directory throws in
      let roots = "\(directory)/roots"
      let link = "\(directory)/link"
      mkdir(roots, 0o755)
      symlink("./roots/../roots", link)
      #expect(try path("\(link)/tree") == path("\(roots)/tree"))
      lchown(link, 1_234, 1_235)
      #expect(throws: FirstRunError.self) { try path("\(link)/tree") }
      lchown("\(roots)/tree", 1_234, 1_235)
      #expect(try path("\(link)/tree") == path("\(roots)/tree"))
      symlink("\(directory)/loop", "\(directory)/loop")
      #expect(throws: SystemError.self) { try path("\(directory)/loop") }
    }
  }

  @Test func `a missing program throws an error`() {
    #expect(throws: SystemError.self) {
      try ChildProcess("x", Program(path: "/nowhere/x", arguments: [], environment: [:]))
    }
    #expect(throws: MissingProgram.self) {
      try Program.path(of: "no-such-program", environment: ["PATH": "/bin"])
    }
  }

  @Test func `the error for a port in use names the port and how to choose another`() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isNamed)
    let port = Int(in_port_t(bigEndian: address.sin_port))
    let error = try #require(throws: FirstRunError.self) {
      try Portal.Origin(host: "localhost", port: port).requireFreePort()
    }
    #expect(error.description.contains("Port \(port) is taken"))
    #expect(error.description.contains("make run PORT="))
  }
}
