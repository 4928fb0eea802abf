import Foundation
import PolyclinicCore
import PolyclinicSystem

/// A checkout of the portal's source, which gets new modules or is what their packages depend on.
struct SourceCheckout {
  let root: String

  init(root: String) { self.root = root }

  /// Finds the checkout that contains a path; nil if there is none.
  init?(around path: String) {
    var directory = FilePath.real(path) ?? FilePath.absolute(path)
    while !Self.isRoot(directory) {
      if directory == "/" { return nil }
      directory = FilePath.directory(of: directory)
    }
    root = directory
  }

  private static func isRoot(_ directory: String) -> Bool {
    ["Package.swift", list, "www/\(StaticFiles.mark)"].allSatisfy {
      FilePath.exists(FilePath.join(directory, $0))
    }
  }

  private static let list = "Sources/polyclinic/Modules.swift"

  /// Adds a module to the checkout. Returns lines for a terminal.
  ///
  /// Throws ``Misuse``, and writes nothing, if a name of the module is in use.
  func add(_ module: NewModule) throws -> [String] {
    let names = module.names
    try requireFree(names)
    let (sources, edits) = (module.sources, try module.edits(read))
    for file in sources where FilePath.exists(FilePath.join(root, file.path)) {
      throw Misuse("\(file.path) exists. Choose another id.")
    }
    for file in sources { try Self.create(file, in: root) }
    for file in edits { try TextFile.replace(file.text, at: FilePath.join(root, file.path)) }
    return [
      "The module \"\(names.id)\" was added. New files:"
    ] + sources.map { "  \($0.path)" } + ["Changed files:"] + edits.map { "  \($0.path)" } + [
      "",
      "Test it:        swift test --filter \(names.target)Tests",
      "Run it:         make run",
      "In an installation that exists: polyclinic module enable \(names.id)",
      "Translate it:   \"list.title\" in Plugins/\(names.target)/Strings",
    ]
  }

  /// Writes a package with the module, which depends on this checkout. Returns lines for a terminal.
  ///
  /// Throws ``Misuse``, and writes nothing, if the directory is in use.
  func makePackage(_ module: NewModule, at path: String) throws -> [String] {
    let names = module.names
    try requireFree(names)
    let directory = FilePath.absolute(path)
    guard SourceCheckout(around: directory) == nil else {
      throw Misuse("\(directory) is part of a checkout of the portal. Choose a directory outside.")
    }
    try Self.requireEmpty(directory)
    try Self.make(directory)
    let portal = Self.relative(root, from: FilePath.real(directory) ?? directory)
    let package = ModuleNames.PackageNames(path: portal, name: FilePath.name(of: root))
    let files = module.package(package)
    for file in files { try Self.create(file, in: directory) }
    let link = FilePath.join(directory, "www")
    guard symlink("\(portal)/www", link) == 0 else { throw SystemError("symlink", on: link) }
    return ["The package \(directory) was written:"] + files.map { "  \($0.path)" } + [
      "  www -> \(portal)/www", "",
      "Test it:        swift test --package-path \(path)",
      "Run it:         cd \(path) && swift run portal run",
      "Translate it:   \"list.title\" in Sources/\(names.target)/Strings",
    ]
  }

  private func read(_ path: String) throws -> String {
    do throws(TextFileError) {
      return try TextFile.read(FilePath.join(root, path))
    } catch {
      throw Misuse("\(path) \(error).")
    }
  }

  /// Throws ``Misuse`` if the portal has a target of one of these names.
  private func requireFree(_ names: ModuleNames) throws {
    // Without the targets that follow the package, such as those of this template.
    let text = try read("Package.swift").lowercased()
    let manifest = text[..<(text.firstRange(of: "\n  ]\n)\n")?.upperBound ?? text.endIndex)]
    for target in [names.target, "\(names.target)Tests"]
    where manifest.contains("name: \"\(target.lowercased())\"") {
      throw Misuse("The portal has a target \(target). Choose another id.")
    }
  }

  private static func requireEmpty(_ directory: String) throws {
    guard FilePath.exists(directory) else { return }
    let isEmpty = try? OpenFile(directory, O_RDONLY | O_DIRECTORY).entries().isEmpty
    guard isEmpty == true else {
      throw Misuse("\(directory) is not an empty directory. Choose another one.")
    }
  }

  private static func create(_ file: NewModule.File, in directory: String) throws {
    let path = FilePath.join(directory, file.path)
    try make(FilePath.directory(of: path))
    try TextFile.create(file.text, at: path, mode: 0o644)
  }

  private static func make(_ directory: String) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// Returns the path that leads from one directory to another.
  private static func relative(_ goal: String, from start: String) -> String {
    let (goal, start) = (goal.split(separator: "/"), start.split(separator: "/"))
    let shared = zip(goal, start).prefix { $0 == $1 }.count
    let steps = start.dropFirst(shared).map { _ in ".." } + goal.dropFirst(shared).map(String.init)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
