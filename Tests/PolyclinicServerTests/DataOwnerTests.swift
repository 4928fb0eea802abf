import Glibc
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem

@Suite(.enabled(if: geteuid() == 0, "only root has files of another user"))
struct DataOwnerTests {
  private static let user: uid_t = 1_234

  /// Runs `body` in a directory with the directories `roots` and `theirs` and a file in each.
  private func withDirectories(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory throws in
      for name in ["roots", "theirs"] {
        mkdir("\(directory)/\(name)", 0o755)
        try TextFile.create("text", at: "\(directory)/\(name)/file", mode: 0o600)
      }
      for path in ["theirs", "theirs/file"] {
        #expect(lchown("\(directory)/\(path)", Self.user, 1_235) == 0)
      }
      try body(directory)
    }
  }

  private func isHanded(_ file: NamedFile) throws -> Bool {
    let handed = try file.handed(to: Self.user)
    handed?.discard()
    return handed != nil
  }

  @Test func `the owner of the database's directory runs the commands`() throws {
    try withDirectories { directory throws in
      let configuration = "\(directory)/roots/file"
      func owner(_ path: String) throws -> uid_t? {
        try DataOwner(of: "\(directory)/\(path)", configuredIn: configuration)?.user.id
      }
      #expect(try owner("theirs/database") == Self.user)
      #expect(try owner("roots/database") == nil)
      #expect(try owner("missing/database") == nil)
      lchown("\(directory)/roots/file", Self.user, 1_235)
      #expect(try owner("roots/file") == Self.user)
    }
  }

  @Test func `another user can neither move the data nor write its configuration`() throws {
    try withDirectories { directory throws in
      let configuration = "\(directory)/roots/file"
      func refusal() -> String? {
        #expect(throws: Command.Failure.self) {
          try DataOwner(of: "\(directory)/theirs/database", configuredIn: configuration)
        }?.description
      }
      lchown(configuration, 1_236, 1_236)
      #expect(refusal()?.contains("Give that file to root") == true)
      lchown(configuration, Self.user, 1_235)
      #expect(
        try DataOwner(of: "\(directory)/theirs/database", configuredIn: configuration) != nil)
      chmod(directory, 0o777)
      #expect(refusal()?.contains("another user may change \(directory)") == true)
    }
  }

  @Test func `root opens a file to read unless its path is in the hands of somebody else`() throws {
    try withDirectories { directory throws in
      #expect(try isHanded(.existing("\(directory)/roots/file")))
      #expect(try isHanded(.existing("\(directory)/theirs/file")))
      #expect(try isHanded(.existing("\(directory)/roots/missing")))
      #expect(try !isHanded(.existing("\(directory)/theirs/missing")))
      symlink("file", "\(directory)/roots/link")
      #expect(try isHanded(.existing("\(directory)/roots/link")))
      symlink("../roots/file", "\(directory)/theirs/link")
      #expect(try !isHanded(.existing("\(directory)/theirs/link")))
      symlink("../theirs/link", "\(directory)/roots/detour")
      #expect(try !isHanded(.existing("\(directory)/roots/detour")))
      chmod("\(directory)/roots", 0o777)
      #expect(try !isHanded(.existing("\(directory)/roots/file")))
    }
  }

  @Test func `root makes a new file only where the user of the data cannot`() throws {
    try withDirectories { directory throws in
      func isMade(in name: String) throws -> Bool {
        try isHanded(.new("\(directory)/\(name)/new", draftSuffix: ".new"))
      }
      #expect(try isMade(in: "roots"))
      #expect(try !isMade(in: "theirs"))
      symlink("../roots", "\(directory)/theirs/link")
      #expect(try !isMade(in: "theirs/link"))
      #expect(try !isMade(in: "missing"))
      mkdir("\(directory)/third", 0o755)
      lchown("\(directory)/third", 1_236, 1_237)
      #expect(try isMade(in: "third"))
      for path in ["roots/new", "roots/new.new", "third/new.new"] {
        #expect(!FilePath.exists("\(directory)/\(path)"))
      }
    }
  }

  @Test func `a new file gets its name when it is complete, and belongs to the directory's owner`()
    throws
  {
    try withDirectories { directory throws in
      mkdir("\(directory)/third", 0o755)
      lchown("\(directory)/third", 1_236, 1_237)
      let path = "\(directory)/third/new"
      let file = try #require(try NamedFile.new(path, draftSuffix: ".new").handed(to: Self.user))
      #expect(FilePath.exists(path + ".new") && !FilePath.exists(path))
      #expect(file.complete() == 0)
      file.discard()
      #expect(!FilePath.exists(path + ".new"))
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_uid == 1_236)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }
}
