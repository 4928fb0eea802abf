import Glibc
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing

@Suite struct WaitingConnectionsTests {
  @Test func `the count is the number of connections not yet accepted`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let socket = try Endpoint(path: path).listen(backlog: 10)
      defer { close(socket) }
      #expect(WaitingConnections(at: socket)?.count == 0)
      let clients = try (1...3).map { _ in try FastCGIClient(path: path) }
      #expect(WaitingConnections(at: socket)?.count == 3)
      close(accept(socket, nil, nil))
      #expect(WaitingConnections(at: socket)?.count == 2)
      #expect(WaitingConnections(at: socket)?.limit == 10)
      for client in clients { client.close() }
    }
  }

  @Test func `other sockets, files and invalid descriptors have no count`() throws {
    let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(other) }
    #expect(WaitingConnections(at: other) == nil)
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    #expect(WaitingConnections(at: file) == nil)
    #expect(WaitingConnections(at: -1) == nil)
  }
}
