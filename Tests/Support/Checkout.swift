import PolyclinicSystem

/// The directory of the sources that these tests are compiled from.
package enum Checkout {
  private static let path = FilePath.absolute(#filePath + "/../../..")

  /// Returns the absolute path of a file in it, such as `www/styles/style.css`.
  package static func file(_ name: String) -> String { FilePath.join(path, name) }
}
