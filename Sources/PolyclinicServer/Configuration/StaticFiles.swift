/// Where the files are that nginx serves itself.
enum StaticFiles {
  /// What the directory is known by.
  private static let mark = "style.css"

  /// Beside the program: `www` in a directory above it (a package that was built), or
  /// `share/polyclinic/www` (one that was installed), else where a Debian package puts it.
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
