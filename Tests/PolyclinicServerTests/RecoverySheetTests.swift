import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer
@testable import PolyclinicVault

@Suite struct RecoverySheetTests {
  let ring = KeyRing.test(older: [.random(created: .test), .random(created: .test)])

  private func text(_ ring: KeyRing) -> String {
    RecoverySheet(ring).lines(clinic: "Riverside", printed: .test).joined(separator: "\n")
  }

  /// Returns the sheet's text after `change` has edited one of its numbered lines.
  private func text(changing label: String, _ change: (String) -> String) -> String {
    text(ring).split(separator: "\n").map { line in
      line.hasPrefix(label + " ") ? change(String(line)) : String(line)
    }.joined(separator: "\n")
  }

  private func error(_ text: String) -> RecoverySheetError? {
    do throws(RecoverySheetError) {
      _ = try RecoverySheet(text, path: "master.key")
      return nil
    } catch {
      return error
    }
  }

  @Test func `a sheet restores the keys that it was printed from`() throws {
    for ring in [ring, KeyRing.test()] {
      let read = try RecoverySheet(text(ring), path: "master.key").ring
      #expect(read.ids == ring.ids && read.newest.id == ring.newest.id)
      #expect(read.holdsAll(of: ring) && ring.holdsAll(of: read))
      #expect(read.newest.created == .test)
      #expect(read.path == "master.key")
    }
  }

  @Test func `a sheet shows clinic, date, key ID and restore command in ASCII`() {
    let text = text(ring)
    for part in ["Riverside", "2024-10-04", "\(ring.newest.id)", "restore BACKUP --sheet"] {
      #expect(text.contains(part))
    }
    #expect(text.utf8.allSatisfy { $0 < 128 })
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `a sheet is read in any case, spacing and order, with O for 0 and l for 1`() throws {
    let lines = text(ring).split(separator: "\n").filter {
      $0.first?.isNumber == true || $0.hasPrefix("end")
    }
    let typed = lines.reversed().map { line -> String in
      let words = line.split(separator: " ")
      let digits = words.dropFirst().joined().lowercased()
      if words[0] == "end" { return line.lowercased() }
      return "\(words[0]) \(digits.replacing("0", with: "o").replacing("1", with: "l"))\r"
    }
    let read = try RecoverySheet(typed.joined(separator: "\n"), path: "").ring
    #expect(read.ids == ring.ids)
  }

  @Test func `a mistyped, overlong or missing line is reported by its label`() {
    for label in ["1-1", "2-3", "3-4"] {
      let original = text(changing: label) { $0 }
      for offset in 5..<30 {
        let changed = text(changing: label) { line in
          var characters = Array(line)
          guard characters[offset].isLetter || characters[offset].isNumber,
            offset < 24 || offset > 31
          else { return line }
          characters[offset] = characters[offset] == "7" ? "8" : "7"
          return String(characters)
        }
        #expect(changed == original || error(changed) == .mistyped(line: label))
      }
      #expect(
        error(text(changing: label) { $0 + "A" }) == .wrongLength(line: label, count: 21, of: 20))
      #expect(error(text(changing: label) { _ in "" }) == .missing(line: label))
      #expect(error(text(changing: label) { $0.replacing("7", with: "?") + "?" }) != nil)
    }
  }

  @Test func `a line in the wrong place or a wrong end line is reported`() {
    let lines = text(ring).split(separator: "\n")
    let first = lines.first { $0.hasPrefix("1-1") } ?? ""
    #expect(
      error(text(changing: "1-2") { _ in "1-2" + first.dropFirst(3) }) == .mistyped(line: "1-2"))
    #expect(error(text(changing: "end") { _ in "" }) == .missing(line: "end"))
    #expect(
      error(text(changing: "end") { $0.replacing("3  check", with: "2  check") })
        == .mistyped(line: "end"))
    #expect(error(text(ring) + "\n" + text(.test())) != nil)
    #expect(error("") == .missing(line: "end"))
  }
}
