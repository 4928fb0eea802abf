import PolyclinicCore
import PolyclinicServing

extension ReleaseDirectory {
  /// Returns a line for `polyclinic status`: the release that serves, and the target of a rollback.
  /// Nil if no release is kept.
  package func sentence(of serving: ServingRelease) throws -> String? {
    let previous = try releases(before: serving).first
    let way =
      previous.map { "\"polyclinic rollback\" goes back to \($0.title)" }
      ?? "no earlier one is kept"
    guard let own = try copy(of: serving) else {
      return previous == nil ? nil : "The installed release serves; \(way)"
    }
    return serving.kept == nil
      ? "Release \(own.id) serves; \(way)" : "Rolled back to release \(own.id); \(way)"
  }
}
