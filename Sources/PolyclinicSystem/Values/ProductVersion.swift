import CVersion

/// The version of this program. `Package.swift` has the number, and `.ci/build` adds the commit.
package enum ProductVersion {
  /// The number by semantic versioning, such as `1.0.0-beta.1`.
  package static var number: String { String(cString: polyclinic_version()) }

  /// The number with commit and date, if the build knew them: `1.0.0-beta.1 (1a2b3c4d5e6f,
  /// 2026-11-27)`.
  package static var full: String {
    full(number, String(cString: polyclinic_commit()), String(cString: polyclinic_commit_date()))
  }

  static func full(_ number: String, _ commit: String, _ date: String) -> String {
    let origin = [commit, date].filter { !$0.isEmpty }
    return origin.isEmpty ? number : "\(number) (\(origin.joined(separator: ", ")))"
  }
}
