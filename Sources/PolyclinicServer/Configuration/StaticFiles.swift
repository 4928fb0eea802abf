import PolyclinicServing
import PolyclinicSystem

/// Finds the directory of the files that nginx serves itself.
enum StaticFiles {
  /// The file that identifies the directory.
  static let mark = "styles/style.css"

  /// Returns the files of the kept release that the program belongs to; nil for an installed
  /// program.
  static func directory(ofKept executable: String?) -> String? {
    let directory = FilePath.directory(of: executable ?? "/")
    guard FilePath.exists(FilePath.join(directory, KeptRelease.recordName)) else { return nil }
    return FilePath.join(directory, KeptRelease.wwwName)
  }

  /// Returns the installed files: `www` in a parent directory of the program (a build), or
  /// `share/polyclinic/www` (an installation), otherwise the path in a Debian package.
  static func directory(beside executable: String?) -> String {
    var directory = FilePath.directory(of: executable ?? "/")
    while directory != "/" {
      for candidate in ["www", "share/polyclinic/www"] {
        let path = FilePath.join(directory, candidate)
        if FilePath.exists(FilePath.join(path, mark)) { return path }
      }
      directory = FilePath.directory(of: directory)
    }
    return "/usr/share/polyclinic/www"
  }
}
