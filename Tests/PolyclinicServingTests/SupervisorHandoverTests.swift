import Glibc
import PolyclinicTestSupport
import Synchronization
import Testing

@testable import PolyclinicServer
@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct SupervisorHandoverTests {
  private let now = SuspendingClock.now

  @Test func `replacing the socket never leaves its path empty`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let endpoint = Endpoint(path: path)
      #expect("\(endpoint)" == path)
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

  @Test func `a worker waits until its successor listens and its own queue is empty`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let old = try Endpoint(path: path).listen(backlog: 8)
      var handover = SupervisorHandover(path: path)
      handover.timeout = .seconds(600)
      let client = try FastCGIClient(path: path)
      let bound = handover
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

  @Test func `a worker waits for its timeout without a successor or with queued clients`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let old = try Endpoint(path: path).listen(backlog: 8)
      defer { close(old) }
      var handover = SupervisorHandover(path: path)
      handover.timeout = .milliseconds(20)
      #expect(waited(handover, old) >= handover.timeout)
      let client = try FastCGIClient(path: path)
      defer { client.close() }
      let next = try Endpoint(path: path).listen(backlog: 8)
      defer { close(next) }
      #expect(waited(handover, old) >= handover.timeout)
    }
  }

  @Test func `a worker does not wait if its socket is removed`() throws {
    try withTemporaryDirectory { directory in
      let endpoint = Endpoint(path: "\(directory)/s")
      let socket = try endpoint.listen(backlog: 8)
      defer { close(socket) }
      var handover = SupervisorHandover(path: "\(directory)/s")
      handover.timeout = .seconds(600)
      endpoint.remove()
      #expect(waited(handover, socket) < handover.timeout)
    }
  }

  /// Returns the time that a worker waited for its successor.
  private func waited(_ handover: SupervisorHandover, _ socket: Int32) -> Duration {
    SuspendingClock().measure { handover.wait(socket: socket) }
  }

  @Test func `a removed socket is detected one second after the last check`() throws {
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

  @Test func `the eleventh restart within ten seconds is refused`() {
    var restartLimit = RestartLimit()
    let allowed = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9.5, 10].map { (second: Double) in
      restartLimit.allow(at: now + .seconds(second))
    }
    #expect(allowed == Array(repeating: true, count: 10) + [false, true])
  }

  @Test func `a connection beyond the backlog is refused at once`() throws {
    try withTemporaryDirectory { directory in
      let socket = try Endpoint(path: "\(directory)/s").listen(backlog: 2)
      defer { close(socket) }
      let come = {
        try FastCGIClient(path: "\(directory)/s", flags: Int32(SOCK_NONBLOCK.rawValue))
      }
      // The kernel queues one connection more than the backlog.
      let waiting = try (0..<3).map { _ in try come() }
      let error = #expect(throws: SystemError.self) { _ = try come() }
      #expect(error?.code == EAGAIN)
      for client in waiting { client.close() }
    }
  }
}
