import Testing

@testable import PolyclinicServer

/// Requests that end workers are not sent to all of them, one after the other.
@Suite struct FatalRequestsTests {
  private static let one = "00112233445566778899aabbccddeeff"
  private static let other = "10112233445566778899aabbccddeeff"

  @Test func `a request is fatal that has ended two workers, in the eyes of all`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/fatal-requests"
      #expect(try FatalRequests.open(path) == nil)
      try FatalRequests.make(path)
      let requests = try #require(try FatalRequests.open(path))
      let others = try #require(try FatalRequests.open(path))
      let mark = try #require(FatalRequests.mark(of: Self.one))
      let chance = try #require(FatalRequests.mark(of: Self.other))
      requests.blame(mark)
      requests.blame(chance)
      #expect(!others.contains(mark) && !others.contains(chance))
      others.blame(chance)
      #expect(requests.contains(chance) && !requests.contains(mark))
      try FatalRequests.make(path)
      #expect(try FatalRequests.open(path)?.contains(chance) == false)
    }
  }

  @Test(arguments: [
    "", "abc", "00000000000000000000000000000000", "g0112233445566778899aabbccddeeff",
  ])
  func `what is no number of nginx's is no mark`(id: String) {
    #expect(FatalRequests.mark(of: id) == nil)
  }

  @Test func `a thread is not at a fatal request again`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/fatal-requests"
      try FatalRequests.make(path)
      let requests = try #require(try FatalRequests.open(path))
      let mark = try #require(FatalRequests.mark(of: Self.one))
      let witness = CrashWitness(of: requests)
      for _ in 1...2 {
        #expect(witness.begin(Self.one))
        witness.end()
        requests.blame(mark)
      }
      #expect(!witness.begin(Self.one) && witness.begin(Self.other) && witness.begin(""))
    }
  }
}
