import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing

@Suite struct ReleaseChoiceTests {
  /// Runs the body with three kept releases: the third is installed and the second is chosen.
  private func withChoice(
    isProven: Bool, _ body: (InstalledRelease, KeptRelease) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      for number in 1...3 {
        try installed.install(number)
        try installed.keep(at: Int64(number))
      }
      let second = try installed.releases.releases()[1]
      try ReleaseChoice(
        kept: second.id, installed: try ProgramStamp(of: installed.program), isProven: isProven,
        before: nil
      ).store(in: installed.releases)
      try body(installed, second)
    }
  }

  private func serving(
    _ choices: ServingRelease.Choices, _ installed: InstalledRelease
  ) throws -> ServingRelease {
    try ServingRelease(choices, installed: installed.program, installed.releases)
  }

  @Test func `without a choice the installed release serves`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      try installed.install(1)
      let serving = try serving(.all, installed)
      #expect(serving.program == installed.program && serving.kept == nil)
    }
  }

  @Test func `a chosen release serves after a restart only if a reload has proved it`() throws {
    try withChoice(isProven: false) { installed, second in
      #expect(try serving(.all, installed).program == second.program)
      #expect(try serving(.proven, installed).program == installed.program)
      let choice = try #require(try ReleaseChoice.read(in: installed.releases))
      try choice.prove(in: installed.releases)
      #expect(try serving(.proven, installed).program == second.program)
    }
  }

  @Test func `a failed choice leaves the earlier choice in effect`() throws {
    try withChoice(isProven: true) { installed, second in
      let first = try installed.releases.releases()[2]
      let failing = ReleaseChoice(
        kept: first.id, installed: try ProgramStamp(of: installed.program), isProven: false,
        before: second.id)
      try failing.store(in: installed.releases)
      #expect(try serving(.proven, installed).kept == second.id)
      try failing.takeBack(in: installed.releases)
      #expect(try serving(.all, installed).kept == second.id)
      let forward = ReleaseChoice(
        kept: nil, installed: failing.installed, isProven: false, before: second.id)
      try forward.prove(in: installed.releases)
      #expect(try ReleaseChoice.read(in: installed.releases) == nil)
    }
  }

  @Test func `installing another program ends the choice`() throws {
    try withChoice(isProven: true) { installed, _ in
      try installed.install(4)
      #expect(try serving(.all, installed).program == installed.program)
    }
  }

  @Test func `each rollback goes one release further back`() throws {
    try withChoice(isProven: true) { installed, second in
      let releases = try installed.releases.releases()
      let present = try ServingRelease(installed: installed.program)
      #expect(
        try installed.releases.releases(before: present).map(\.id) == releases[1...].map(\.id))
      let rolledBack = try serving(.all, installed)
      #expect(try installed.releases.releases(before: rolledBack).map(\.id) == [releases[2].id])
    }
  }

  @Test func `a release that is not kept yet rolls back to the last kept one`() throws {
    try withChoice(isProven: true) { installed, _ in
      try installed.install(4)
      let present = try ServingRelease(installed: installed.program)
      let last = try installed.releases.releases().first?.id
      #expect(try installed.releases.releases(before: present).first?.id == last)
    }
  }

  @Test func `keeping a new release removes the one that was rolled back`() throws {
    try withChoice(isProven: true) { installed, _ in
      try installed.install(4)
      try installed.keep(at: 4)
      #expect(try installed.keptStyles() == [4, 2, 1].map { "body { order: \($0) }" })
      #expect(try ReleaseChoice.read(in: installed.releases) == nil)
    }
  }

  @Test func `a choice of a release that is no longer kept fails with its ID`() throws {
    try withChoice(isProven: true) { installed, second in
      try installed.releases.remove(second)
      #expect(throws: Command.Failure("The release \(second.id) is not kept any more.")) {
        try serving(.all, installed)
      }
    }
  }

  @Test func `the status names the serving release and the rollback target`() throws {
    try withChoice(isProven: true) { installed, second in
      let first = try installed.releases.releases()[2]
      let way =
        "\"polyclinic rollback\" goes back to \(first.id), which began to serve on 1970-01-01T00:00 UTC"
      #expect(
        try installed.releases.sentence(of: serving(.all, installed))
          == "Rolled back to release \(second.id); \(way)")
      try installed.releases.remove(first)
      #expect(
        try installed.releases.sentence(of: serving(.all, installed))
          == "Rolled back to release \(second.id); no earlier one is kept")
    }
  }
}
