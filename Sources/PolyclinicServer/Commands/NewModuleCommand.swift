import ArgumentParser
import PolyclinicCore
import PolyclinicSystem

extension ModuleCommand {
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Write the source of a new module that builds and has tests.",
      discussion: """
        The module keeps records with a name and a note. Without --package, it becomes a part of the
        checkout around the current directory.
        """)
    @Argument(help: "The id: lower-case words joined by hyphens, such as lab-results.")
    var id: String
    @Option(help: "The type of a record, such as LabResult (default: the id's singular).")
    var record: String?
    @Option(
      name: .customLong("package"),
      help: "A new directory, for a package of its own that depends on the checkout.")
    var directory: String?

    func run() throws {
      let taken = Set(Polyclinic.modules.map(\.id.rawValue)).union(Self.taken)
      let names = try ModuleNames(id: id, record: record, taken: taken)
      printLines(try Self.write(NewModule(names: names), packageAt: directory))
    }

    private static func write(_ module: NewModule, packageAt directory: String?) throws -> [String]
    {
      let here = SourceCheckout(around: ".")
      if let directory {
        let checkout = here ?? FilePath.executable.flatMap(SourceCheckout.init(around:))
        return try checkout.orMissing().makePackage(module, at: directory)
      }
      return try here.orMissing().add(module)
    }

    /// The ids of built-in modules, the first words of their addresses, and the portal's commands.
    static var taken: Set<String> {
      Set(RootCommand.names).union([
        "account", "admin", "api", "assets", "dashboard", "health", "healthz", "help", "home",
        "invitation",
        "language", "login", "logout", "manifest", "metrics", "notifications", "offline", "privacy",
        "readyz", "register", "releases", "reset", "robots", "service-worker", "setup", "start",
        "text-size", "useful-contacts",
      ])
    }
  }
}

extension SourceCheckout? {
  /// Returns the checkout. Throws ``Misuse`` if there is none.
  fileprivate func orMissing() throws -> SourceCheckout {
    guard let self else {
      throw Misuse("This is no checkout of the portal's source. Run the command inside one.")
    }
    return self
  }
}
