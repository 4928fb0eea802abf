import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing

/// The list of requests that have crashed two workers.
@Suite struct FatalRequestsTests {
  private static let one = "00112233445566778899aabbccddeeff"
  private static let other = "10112233445566778899aabbccddeeff"

  @Test func `a request is fatal for all workers after two crashes`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/fatal-requests"
      #expect(try FatalRequests.open(path) == nil)
      try FatalRequests.make(path)
      let requests = try #require(try FatalRequests.open(path))
      let others = try #require(try FatalRequests.open(path))
      let fingerprint = try #require(FatalRequests.fingerprint(of: Self.one))
      let chance = try #require(FatalRequests.fingerprint(of: Self.other))
      requests.blame(fingerprint)
      requests.blame(chance)
      #expect(!others.contains(fingerprint) && !others.contains(chance))
      others.blame(chance)
      #expect(requests.contains(chance) && !requests.contains(fingerprint))
      try FatalRequests.make(path)
      #expect(try FatalRequests.open(path)?.contains(chance) == false)
    }
  }

  @Test(arguments: [
    "", "abc", "00000000000000000000000000000000", "g0112233445566778899aabbccddeeff",
  ])
  func `an invalid nginx request id has no fingerprint`(id: String) {
    #expect(FatalRequests.fingerprint(of: id) == nil)
  }

  @Test func `a thread refuses to begin a request that has crashed two workers`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/fatal-requests"
      try FatalRequests.make(path)
      let requests = try #require(try FatalRequests.open(path))
      let fingerprint = try #require(FatalRequests.fingerprint(of: Self.one))
      let recorder = CrashRecorder(of: requests)
      for _ in 1...2 {
        #expect(recorder.begin(Self.one))
        recorder.end()
        requests.blame(fingerprint)
      }
      #expect(!recorder.begin(Self.one) && recorder.begin(Self.other) && recorder.begin(""))
    }
  }
}
