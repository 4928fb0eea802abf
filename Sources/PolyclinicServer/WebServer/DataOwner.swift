import Foundation
import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The user that the data belongs to, as whom a command of root goes on. Otherwise root could make
/// files that the portal cannot open, or trust files that this user could have changed.
struct DataOwner {
  let user: Unprivileged.User
  /// The directory of the database's file, or of the portal's own files.
  let directory: String
  let configurationPath: String
  private let environment: [String: String]

  /// Returns nil if this process is not root, if the data is root's, or if there is no directory
  /// for it yet.
  ///
  /// Throws ``Command/Failure`` if another user could have led root to that owner.
  init?(
    of file: String, configuredIn configuration: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard geteuid() == 0 else { return nil }
    directory = FilePath.directory(of: file)
    configurationPath = configuration
    self.environment = environment
    var resolution = try OwnedTree.PathResolution(path: directory, .refused)
    do throws(SystemError) { try resolution.walk() } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
    let status = try resolution.current.status()
    var own = stat()
    // Its files may be another user's where the directory is root's.
    let owner = status.st_uid == 0 && lstat(file, &own) == 0 ? own.st_uid : status.st_uid
    if owner == 0 { return nil }
    user = Unprivileged.User(id: owner, group: status.st_gid, home: directory)
    if let step = resolution.steps.first(where: { !$0.isSafe(for: owner) }) {
      throw Command.Failure(
        "The data in \(directory) belongs to the user \(user.name), and another user may change "
          + "\(step.path). Give both to one user, or \(step.path) to root.")
    }
    var named = stat()
    guard stat(configuration, &named) == 0, named.st_uid == 0 || named.st_uid == owner else {
      throw Command.Failure(
        "The data in \(directory) belongs to the user \(user.name), and its configuration "
          + "\(configuration) to another one. Give that file to root: chown root: \(configuration)")
    }
  }

  /// True if the user may change the configuration's file.
  var ownsConfiguration: Bool {
    var status = stat()
    return stat(configurationPath, &status) == 0 && status.st_uid == user.id
  }

  /// The line for standard error.
  var notice: String {
    "polyclinic: runs as the user \(user.name), to whom the data in \(directory) belongs."
  }

  /// Runs this program with the words as the user, in a session without root's terminal, and
  /// returns its exit status.
  ///
  /// Throws ``SystemError``, and ``Command/Failure`` if this is not possible.
  func run(
    _ words: [String], of executable: String, naming files: [NamedFile] = []
  ) throws -> Int32 {
    // The descriptors inherited from the shell may include its terminal.
    try OpenFile.keepAllFromPrograms()
    let unprivileged = try Unprivileged(environment: environment)
    let command = [executable] + words
    var program = Program(
      path: unprivileged.program,
      arguments: Unprivileged.arguments(as: user, with: user.isKnown ? .own : .none, command))
    program.environment = environment
    program.environment["HOME"] = user.home
    // Passes the file that was found: the user may see another one first, or none.
    program.environment["DATA"] = FilePath.directory(of: configurationPath)
    let named = [NamedFile.existing(configurationPath)] + files
    let handed = try named.compactMap { try $0.handed(to: user.id) }
    let status = try DetachedProgram(program: program, reading: .same, handing: handed).run()
    // setpriv's own errors (setpriv(1)).
    guard status == 126 || status == 127 else { return status }
    throw Command.Failure(try obstacle(unprivileged, executable))
  }

  private func obstacle(_ unprivileged: Unprivileged, _ executable: String) throws -> String {
    guard try unprivileged.isPossible() else {
      return """
        Root cannot become the user \(user.name), because this system lets nobody give rights away. \
        Run the command as that user.
        """
    }
    return """
      The user \(user.name) may not use \(executable) or its libraries. Have them stand where every \
      user may read and pass, such as below /opt.
      """
  }
}
