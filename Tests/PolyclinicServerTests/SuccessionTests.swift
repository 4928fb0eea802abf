import Glibc
import Synchronization
import Testing

@testable import PolyclinicServer

@Suite struct SuccessionTests {
  private let now = SuspendingClock.now

  @Test func `a new socket takes the place of the old one, which is never empty`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let endpoint = Endpoint(path: path)
      let isOver = Atomic(false)
      let missed = Atomic(0)
      var sockets = [try endpoint.listen(backlog: 8)]
      let looking = try SystemThread {
        while !isOver.load(ordering: .relaxed) {
          if access(path, F_OK) != 0 { missed.add(1, ordering: .relaxed) }
        }
      }
      for _ in 0..<200 { sockets.append(try endpoint.listen(backlog: 8)) }
      isOver.store(true, ordering: .relaxed)
      looking.join()
      for socket in sockets { close(socket) }
      #expect(missed.load(ordering: .relaxed) == 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a worker waits until somebody else listens, and all who came before are taken`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let old = try Endpoint(path: path).listen(backlog: 8)
      var succession = Succession(path: path)
      succession.patience = .seconds(600)
      let client = try FastCGIClient(path: path)
      let bound = succession
      let isTaken = Atomic(false)
      let wasTakenBefore = Atomic(false)
      let waiting = try SystemThread {
        bound.wait(socket: old)
        wasTakenBefore.store(isTaken.load(ordering: .sequentiallyConsistent), ordering: .relaxed)
      }
      let next = try Endpoint(path: path).listen(backlog: 8)
      isTaken.store(true, ordering: .sequentiallyConsistent)
      close(accept(old, nil, nil))
      waiting.join()
      let isInOrder = wasTakenBefore.load(ordering: .relaxed)
      #expect(isInOrder)
      client.close()
      close(next)
      close(old)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a worker waits all its patience where nobody else listens, or somebody is not taken`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let old = try Endpoint(path: path).listen(backlog: 8)
      defer { close(old) }
      var succession = Succession(path: path)
      succession.patience = .milliseconds(20)
      #expect(waited(succession, old) >= succession.patience)
      let client = try FastCGIClient(path: path)
      defer { client.close() }
      let next = try Endpoint(path: path).listen(backlog: 8)
      defer { close(next) }
      #expect(waited(succession, old) >= succession.patience)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `where the socket is gone nobody is waited for`() throws {
    try withTemporaryDirectory { directory in
      let endpoint = Endpoint(path: "\(directory)/s")
      let socket = try endpoint.listen(backlog: 8)
      defer { close(socket) }
      var succession = Succession(path: "\(directory)/s")
      succession.patience = .seconds(600)
      endpoint.remove()
      #expect(waited(succession, socket) < succession.patience)
    }
  }

  /// How long a worker waited for its successor.
  private func waited(_ succession: Succession, _ socket: Int32) -> Duration {
    SuspendingClock().measure { succession.wait(socket: socket) }
  }

  @Test func `a socket that was taken away is missed a second later, one that is there is not`()
    throws
  {
    try withTemporaryDirectory { directory in
      let endpoint = Endpoint(path: "\(directory)/s")
      let socket = try endpoint.listen(backlog: 8)
      defer { close(socket) }
      var watch = SocketWatch(endpoint, at: now)
      let whole = watch.isLost(at: now + .seconds(1))
      endpoint.remove()
      let looks = [1_900, 2_000, 2_000].map { watch.isLost(at: now + .milliseconds($0)) }
      #expect(!whole)
      #expect(looks == [false, true, false], "one look a second")
    }
  }

  @Test func `a program that is killed ten times in ten seconds is not started again`() {
    var revivals = Revivals()
    let allowed = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9.5, 10].map { (second: Double) in
      revivals.allow(at: now + .seconds(second))
    }
    #expect(allowed == Array(repeating: true, count: 10) + [false, true])
  }

  @Test func `a connection above the queue is refused at once`() throws {
    try withTemporaryDirectory { directory in
      let socket = try Endpoint(path: "\(directory)/s").listen(backlog: 2)
      defer { close(socket) }
      let come = {
        try FastCGIClient(path: "\(directory)/s", flags: Int32(SOCK_NONBLOCK.rawValue))
      }
      // The kernel takes one more than it was told.
      let waiting = try (0..<3).map { _ in try come() }
      let error = #expect(throws: SystemError.self) { _ = try come() }
      #expect(error?.code == EAGAIN)
      for client in waiting { client.close() }
    }
  }
}
