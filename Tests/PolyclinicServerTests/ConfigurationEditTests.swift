import Foundation
import PolyclinicTestSupport
import Synchronization
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem

@Suite struct ConfigurationEditTests {
  private func edited(
    _ text: String, _ module: String = "contacts", isEnabled: Bool = false
  ) throws -> String? {
    let edit = ConfigurationEdit(
      path: "/srv/portal/polyclinic.yaml", modules: Sample.modules, environment: [:])
    return try edit.text(text, with: module, isEnabled: isEnabled)
  }

  @Test(arguments: [
    "modules: { contacts: { enabled: |true| } } # the book\n",
    "modules:\n  # true friends\n  contacts:   # true\n    enabled:    |true|   # not false\n",
    "modules:\n  contacts: {enabled: |true|}\n  appointments: { enabled: true }",
    "modules: {appointments: {enabled: true, greeting: true?}, contacts: {enabled: |yes|}}\n",
    "\n\nmodules:\r\n  contacts:\r\n    enabled: |on|\r\n",
    "# клиника é 👩‍⚕️\u{2028}modules: { contacts: { \"enabled\": |True| } }\n",
    "modules: { appointments: { enabled: true }, contacts: { enabled:\n      |true| } }\n",
  ])
  func `switching a module changes only the value of enabled`(marked: String) throws {
    let marked = Sample.least + marked
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    #expect(try edited(parts.joined()) == parts[0] + "false" + parts[2])
  }

  @Test(arguments: [
    (
      "modules:\n  # first\n  appointments: { enabled: true }\n",
      "modules:\n  contacts: { enabled: true }\n  # first\n  appointments: { enabled: true }\n"
    ),
    (
      "modules: # all\n    appointments:\n      enabled: true\n",
      "modules: # all\n    contacts: { enabled: true }\n    appointments:\n      enabled: true\n"
    ),
    (
      "modules: { appointments: { enabled: true } }",
      "modules: { contacts: { enabled: true }, appointments: { enabled: true } }"
    ),
    ("modules: {}\n", "modules: { contacts: { enabled: true } }\n"),
    ("modules:\n", "modules:\n  contacts: { enabled: true }\n"),
    ("modules:", "modules:\n  contacts: { enabled: true }\n"),
    ("# end", "# end\nmodules:\n  contacts: { enabled: true }\n"),
    ("", "modules:\n  contacts: { enabled: true }\n"),
  ])
  func `a module missing from the file gets a line in the file's style`(
    rest: String, expected: String
  ) throws {
    #expect(try edited(Sample.least + rest, isEnabled: true) == Sample.least + expected)
  }

  @Test func `a file in one pair of braces gets the modules section inside them`() throws {
    #expect(
      try edited("{clinic: {time_zone: UTC}}", isEnabled: true)
        == "{ modules: { contacts: { enabled: true } },clinic: {time_zone: UTC}}")
  }

  @Test func `an edit that would also change another module is not made`() throws {
    let text =
      Sample.least
      + "modules: { contacts: &on { enabled: true }, appointments: *on }\n"
    #expect(try edited(text) == nil)
  }

  @Test func `an unknown module is refused with a suggestion`() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try edited(Sample.least, "contact")
    }
    #expect(error.description.contains("Did you mean \"contacts\"?"))
  }

  @Test func `a file that does not load is refused`() {
    #expect(throws: ConfigurationError.self) { try edited("modules: { contacts: {} }") }
  }

  @Test func `an edit keeps the file's mode and its symbolic link`() throws {
    try Scratch.with { directory in
      let file = directory + "/real.yaml"
      let link = directory + "/polyclinic.yaml"
      let text = Sample.least + "modules: { contacts: { enabled: true } }\n"
      try TextFile.create(text, at: file, mode: 0o640)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.yaml")
      let edit = ConfigurationEdit(path: link, modules: Sample.modules, environment: [:])
      #expect(try edit.set("contacts", isEnabled: false) == .changed)
      #expect(try edit.set("contacts", isEnabled: false) == .unchanged)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.yaml")
      #expect(try TextFile.read(file).contains("enabled: false"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
    }
  }

  @Test func `concurrent edits of two modules are both kept`() throws {
    try Scratch.with { directory in
      let file = directory + "/polyclinic.yaml"
      try TextFile.create(Sample.least, at: file, mode: 0o600)
      let edit = ConfigurationEdit(path: file, modules: Sample.modules, environment: [:])
      let failures = Mutex(0)
      let threads = try ["contacts", "appointments"].map { module in
        try SystemThread {
          for round in 0..<20 {
            do {
              _ = try edit.set(module, isEnabled: round % 2 == 0)
              let text = try TextFile.read(file)
              let isSaid = text.contains("\(module): { enabled: \(round % 2 == 0) }")
              if !isSaid { failures.withLock { $0 += 1 } }
            } catch {
              failures.withLock { $0 += 1 }
            }
          }
        }
      }
      for thread in threads { thread.join() }
      #expect(failures.withLock { $0 } == 0)
    }
  }

  @Test func `an unsafe edit leaves the file and returns an instruction`() throws {
    try Scratch.with { directory in
      let file = directory + "/polyclinic.yaml"
      let text =
        Sample.least + "modules: { contacts: &on { enabled: true }, appointments: *on }\n"
      try TextFile.create(text, at: file, mode: 0o600)
      let edit = ConfigurationEdit(path: file, modules: Sample.modules, environment: [:])
      guard case .left(let instruction) = try edit.set("contacts", isEnabled: false) else {
        Issue.record("the file was changed")
        return
      }
      #expect(instruction.contains("contacts: { enabled: false }"))
      #expect(try TextFile.read(file) == text)
    }
  }
}
