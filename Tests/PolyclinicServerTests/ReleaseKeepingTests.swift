import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer
@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct ReleaseKeepingTests {
  @Test func `a kept release holds program, decoder and www, for its owner only`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      try installed.install(1)
      try installed.keep(at: 100)
      let kept = try #require(try installed.releases.releases().first)
      let names = try ReleaseFiles(kept: kept.path).files.map(\.name)
      #expect(
        names == ["polyclinic", "polyclinic-decode", "www/flags/by.png", "www/styles/style.css"])
      #expect(try InstalledRelease.text(kept.program) == "program 1!")
      #expect(try kept.isWhole())
      let modes = try [kept.program, kept.www + "/styles/style.css", kept.path].map {
        try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
      }
      #expect(modes == [0o700, 0o600, 0o700])
    }
  }

  @Test func `the serving release and the three before it are kept`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      for number in 1...6 {
        try installed.install(number)
        try installed.keep(at: Int64(number))
      }
      #expect(try installed.keptStyles() == (3...6).reversed().map { "body { order: \($0) }" })
      try installed.install(4)
      try installed.keep(at: 7)
      #expect(try installed.keptStyles() == [4, 6, 5, 3].map { "body { order: \($0) }" })
      let names = try FileManager.default.contentsOfDirectory(atPath: installed.releases.path)
      #expect(names.count == 4, "nothing else is left behind: \(names)")
    }
  }

  @Test func `the release that serves comes first also where the clock was set back`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      for (number, time) in [(1, 100), (2, 100), (3, 50)] {
        try installed.install(number)
        try installed.keep(at: Int64(time))
      }
      #expect(try installed.keptStyles() == [3, 2, 1].map { "body { order: \($0) }" })
    }
  }

  @Test func `a release that is kept already is not copied again`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      try installed.install(1)
      try installed.keep(at: 1)
      let kept = try #require(try installed.releases.releases().first)
      let before = try inode(of: kept.program)
      try installed.keep(at: 2)
      #expect(try inode(of: kept.program) == before)
      #expect(try installed.releases.releases().map(\.record.served) == [1])
    }
  }

  @Test func `an incomplete copy is not listed as a release and is made again`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      try installed.install(1)
      try installed.keep(at: 1)
      let kept = try #require(try installed.releases.releases().first)
      let draft = installed.releases.path + "/.draft"
      try FileManager.default.moveItem(atPath: kept.path, toPath: draft)
      try FileManager.default.removeItem(atPath: draft + "/www")
      #expect(try installed.releases.releases().isEmpty)
      try FileManager.default.copyItem(atPath: draft, toPath: kept.path)
      try FileManager.default.removeItem(atPath: kept.path + "/release.json")
      #expect(try installed.releases.releases().isEmpty)
      try installed.keep(at: 2)
      #expect(try installed.releases.releases().map { try $0.isWhole() } == [true])
      #expect(!FilePath.exists(draft))
    }
  }

  @Test func `a copy with a changed or an emptied file is not whole`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      try installed.install(1)
      try installed.keep(at: 1)
      let kept = try #require(try installed.releases.releases().first)
      try Data("body { order: 7 }".utf8).write(to: URL(filePath: kept.www + "/styles/style.css"))
      #expect(try !kept.isWhole())
      try installed.write("", to: "releases/\(kept.id)/www/styles/style.css")
      #expect(try !kept.isWhole())
    }
  }

  @Test func `a program replaced while the old one runs is not kept`() throws {
    try withTemporaryDirectory { directory in
      let installed = try InstalledRelease(in: directory)
      try installed.install(1)
      try FileManager.default.copyItem(
        atPath: installed.program, toPath: directory + "/running")
      try installed.install(2)
      let keeping = ReleaseKeeping(
        directory: installed.releases, program: installed.program, content: directory + "/running",
        www: installed.www)
      try keeping.run(at: Instant(1))
      #expect(try installed.releases.releases().isEmpty)
    }
  }
}

/// Returns the file's inode, which differs between copies.
private func inode(of path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
}
