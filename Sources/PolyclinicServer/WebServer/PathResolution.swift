import Glibc
import PolyclinicSystem

extension OwnedTree {
  /// The resolution of a path from the root directory, with every directory and link on the way.
  struct PathResolution: ~Copyable {
    private(set) var current: OpenFile
    private(set) var steps: [Step] = []
    private let path: String
    private var names: [Substring]
    private var links = 0
    private let missing: Missing

    /// The treatment of missing directories.
    enum Missing {
      case made
      /// Throws ENOENT.
      case refused
    }

    init(path: String, _ missing: Missing) throws(SystemError) {
      self.path = path
      self.missing = missing
      current = try OpenFile("/", O_RDONLY | O_DIRECTORY)
      names = path.split(separator: "/")
    }

    /// The path of the descriptor, which stays valid if the directory is moved.
    var currentPath: String { "/proc/self/fd/\(current.descriptor)" }

    /// Returns the first place on the way that another user than root and the owner of the result
    /// may change; nil if there is none.
    func unsafeStep() throws(SystemError) -> Step? {
      let owner = try current.status().st_uid
      return steps.first { !$0.isSafe(for: owner) }
    }

    /// Resolves the whole path. A file that is no directory can only be the last one, and is not
    /// opened.
    mutating func walk() throws(SystemError) {
      while !names.isEmpty {
        let name = String(names.removeFirst())
        let above = try current.status()
        steps.append(Step(path: FilePath.real(currentPath) ?? path, status: above))
        let entry = try open(name, makingItFor: above)
        let status = try entry.status()
        switch status.st_mode & S_IFMT {
        case S_IFLNK:
          steps.append(Step(path: path, status: status))
          try follow(entry)
        case S_IFDIR: current = try OpenFile(".", in: entry, O_RDONLY | O_DIRECTORY)
        default:
          guard names.isEmpty else { throw SystemError("open", ENOTDIR, on: path) }
          current = entry
        }
      }
    }

    private func open(_ name: String, makingItFor above: stat) throws(SystemError) -> OpenFile {
      do {
        return try OpenFile(name, in: current, OpenFile.pathOnly)
      } catch  where error.code == ENOENT && missing == .made {
        guard mkdirat(current.descriptor, name, 0o700) == 0 else {
          throw SystemError("make", on: path)
        }
        let made = try OpenFile(name, in: current, OpenFile.pathOnly)
        try made.give(to: above.st_uid, above.st_uid == 0 ? made.status().st_gid : above.st_gid)
        return made
      }
    }

    private mutating func follow(_ link: borrowing OpenFile) throws(SystemError) {
      links += 1
      // The kernel's own limit (path_resolution(7)).
      guard links <= 40 else { throw SystemError("open", ELOOP, on: path) }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(link.descriptor, "", &bytes, bytes.count)
      guard count > 0 else { throw SystemError("readlink", on: path) }
      let target = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if target.hasPrefix("/") { current = try OpenFile("/", O_RDONLY | O_DIRECTORY) }
      names = target.split(separator: "/") + names
    }
  }

  /// A directory or link of a ``PathResolution``.
  package struct Step {
    let path: String
    let status: stat

    /// Returns true if only root and the owner of the final directory can change the next step.
    ///
    /// In a directory with the sticky bit all users may add entries, but not replace those of
    /// another user.
    func isSafe(for owner: uid_t) -> Bool {
      if status.st_uid == owner, owner != 0 { return true }
      return status.st_uid == 0
        && (status.st_mode & S_IFMT == S_IFLNK || status.st_mode & 0o022 == 0
          || status.st_mode & S_ISVTX != 0)
    }
  }
}
