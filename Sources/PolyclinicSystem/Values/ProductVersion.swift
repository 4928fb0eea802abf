import CVersion

/// A version of the program. `Package.swift` has the number, and `.ci/build` adds the commit.
package struct ProductVersion: CustomStringConvertible {
  /// The number by semantic versioning, such as `1.0.0-beta.1`.
  package let number: String
  let commit: String
  let date: String

  /// The version of this program.
  package static let current = ProductVersion(
    number: String(cString: polyclinic_version()), commit: String(cString: polyclinic_commit()),
    date: String(cString: polyclinic_commit_date()))

  /// The number with commit and date, if the build knew them: `1.0.0-beta.1 (1a2b3c4d5e6f,
  /// 2026-11-27)`.
  package var description: String {
    let origin = [commit, date].filter { !$0.isEmpty }
    return origin.isEmpty ? number : "\(number) (\(origin.joined(separator: ", ")))"
  }
}
