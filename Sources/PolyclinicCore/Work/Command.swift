/// A command that an administrator can run in a terminal: `polyclinic ID NAME …`.
///
/// Permission to read the key file is its only access check. It has no visitor and no person's
/// keys.
public struct Command: Sendable {
  /// Runs the command and returns lines for the terminal.
  ///
  /// A thrown ``Command/Failure`` is printed as it is, a ``Refusal`` in the module's words. The
  /// command then exits with status 1.
  public typealias Action = @Sendable (Portal, Command.Call) throws -> [String]

  /// The command's name: lower-case words joined by hyphens, unique within the module.
  public let name: String
  /// The description for `--help`, one English sentence.
  public let about: String
  /// The arguments, options and flags of the command.
  public let parameters: [Parameter]
  /// The function that runs the command.
  public let run: Action

  /// Creates the command `polyclinic ID NAME …`, which calls `run`; `--help` prints `about` and the
  /// parameters.
  public init(
    _ name: StaticString, _ about: String, _ parameters: Parameter..., run: @escaping Action
  ) {
    self.name = name.description
    self.about = about
    self.parameters = parameters
    self.run = run
  }

  /// An argument, option or flag of a command.
  public struct Parameter: Sendable {
    /// The parameter's name: lower-case words joined by hyphens, unique within the command.
    public let name: String
    /// The syntax of the parameter.
    public let kind: Kind
    /// The description for `--help`, one English sentence.
    public let about: String

    /// The syntax of a parameter on the command line.
    public enum Kind: Sendable, Hashable {
      /// A required positional argument.
      case argument(Content)
      /// One or more positional arguments after all others.
      case arguments(Content)
      /// An optional `--name VALUE`.
      case option(Content)
      /// An optional `--name` without a value.
      case flag
    }

    /// The meaning of a parameter's value.
    public enum Content: Sendable, Hashable {
      /// The text as typed.
      case text
      /// The path of a file; the command receives the file's content.
      case file
    }

    /// Returns a required argument: `<name>`.
    public static func argument(
      _ name: StaticString, _ about: String, as content: Content = .text
    ) -> Parameter {
      Parameter(name: name.description, kind: .argument(content), about: about)
    }

    /// Returns one or more arguments, the last of the command: `<name> ...`.
    public static func arguments(
      _ name: StaticString, _ about: String, as content: Content = .text
    ) -> Parameter {
      Parameter(name: name.description, kind: .arguments(content), about: about)
    }

    /// Returns an option with a value: `--name <name>`.
    public static func option(
      _ name: StaticString, _ about: String, as content: Content = .text
    ) -> Parameter {
      Parameter(name: name.description, kind: .option(content), about: about)
    }

    /// Returns a flag: `--name`.
    public static func flag(_ name: StaticString, _ about: String) -> Parameter {
      Parameter(name: name.description, kind: .flag, about: about)
    }
  }
}

extension Command {
  /// The parsed arguments, options and flags of one command call.
  public struct Call: Sendable {
    private let texts: [String: [String]]
    private let files: [String: [File]]
    private let flags: Set<String>

    /// A file given for a parameter.
    public struct File: Sendable {
      /// The path as typed.
      public let path: String
      /// The file's bytes.
      public let content: [UInt8]

      /// Creates a file after the portal has read it.
      public init(path: String, content: [UInt8]) {
        self.path = path
        self.content = content
      }
    }

    /// Creates a call after the portal has parsed its parameters.
    public init(texts: [String: [String]], files: [String: [File]], flags: Set<String>) {
      self.texts = texts
      self.files = files
      self.flags = flags
    }

    /// Returns the value of a parameter; nil for an omitted option.
    public func text(_ name: String) -> String? { texts[name]?.first }

    /// Returns all values of ``Command/Parameter/arguments(_:_:as:)``, in order.
    public func texts(_ name: String) -> [String] { texts[name] ?? [] }

    /// Returns the content of a parameter's file; nil for an omitted option.
    public func file(_ name: String) -> [UInt8]? { files[name]?.first?.content }

    /// Returns all files of ``Command/Parameter/arguments(_:_:as:)``, in order.
    public func files(_ name: String) -> [File] { files[name] ?? [] }

    /// True if the flag was given.
    public func has(_ flag: String) -> Bool { flags.contains(flag) }
  }
}

extension Command {
  /// A failure of a command, with a message that names the remedy.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// One or more sentences for the terminal.
    public let description: String

    /// Creates a failure that states the problem and the remedy, without any personal data.
    public init(_ description: String) { self.description = description }
  }
}
