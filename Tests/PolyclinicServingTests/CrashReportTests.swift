import Glibc
import Testing

@testable import PolyclinicServing

@Suite struct CrashReportTests {
  @Test func `turning crash reports off restores the default signal handlers`() {
    signal(SIGQUIT) { _ in }
    CrashReport.turnOff()
    for number in CrashReport.signals {
      var action = sigaction()
      #expect(sigaction(number, nil, &action) == 0)
      #expect(action.__sigaction_handler.sa_handler == nil)
    }
  }
}
