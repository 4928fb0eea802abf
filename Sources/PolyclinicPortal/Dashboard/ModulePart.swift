import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

extension InstalledModule {
  /// Returns the value of a part that the module adds to a page, such as a card. Returns nil and
  /// logs an error if `body` throws, so that a failing module does not affect the parts of the
  /// others.
  func value<Value>(of part: StaticString, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      CurrentRequest.name.thrown?(error)
      Logger(label: "module").error(
        "a part of a page failed",
        metadata: ["part": "\(part)", "module": "\(module.id)", "type": "\(type(of: error))"])
      return nil
    }
  }
}
