import Glibc
import Testing

@testable import PolyclinicServer

@Suite struct CrashReportTests {
  @Test func `a crash is reported by nobody in this process`() {
    signal(SIGQUIT) { _ in }
    CrashReport.turnOff()
    for number in CrashReport.signals {
      var action = sigaction()
      #expect(sigaction(number, nil, &action) == 0)
      #expect(action.__sigaction_handler.sa_handler == nil)
    }
  }
}
