/// What an administrator can ask of a module in a terminal: `polyclinic ID NAME …`.
///
/// It is for whoever may read the key file: there is no visitor, and nobody's keys.
public struct Command: Sendable {
  /// Does what was asked, and returns lines for the terminal.
  ///
  /// What is thrown as a ``CommandFailure`` is told as it is, a ``Refusal`` in the module's words; the
  /// command then ends with status 1.
  public typealias Action = @Sendable (Portal, CommandCall) throws -> [String]

  /// Lower-case words joined by hyphens, unique within the module.
  public let name: String
  /// A sentence for help, in English.
  public let about: String
  /// What it takes.
  public let parameters: [Parameter]
  /// Does it.
  public let run: Action

  /// `polyclinic ID NAME …` calls `run`; `about` and the parameters are told by `--help`.
  public init(
    _ name: StaticString, _ about: String, _ parameters: Parameter..., run: @escaping Action
  ) {
    self.name = name.description
    self.about = about
    self.parameters = parameters
    self.run = run
  }

  /// Something that a command takes.
  public struct Parameter: Sendable {
    /// Lower-case words joined by hyphens, unique within the command.
    public let name: String
    /// How it is given.
    public let kind: Kind
    /// A sentence for help, in English.
    public let about: String

    /// How a parameter is given.
    public enum Kind: Sendable, Hashable {
      /// By its place, always.
      case argument(Content)
      /// By their places behind all others, one or more.
      case arguments(Content)
      /// As `--name VALUE`, or not at all.
      case option(Content)
      /// As `--name`, or not at all.
      case flag
    }

    /// What a value is.
    public enum Content: Sendable, Hashable {
      /// What was typed.
      case text
      /// A file, of which the command gets the content.
      case file
    }

    /// A value that has to be given: `<name>`.
    public static func argument(
      _ name: StaticString, _ about: String, as content: Content = .text
    ) -> Parameter {
      Parameter(name: name.description, kind: .argument(content), about: about)
    }

    /// One or more values: `<name> ...`, the last of the command's arguments.
    public static func arguments(
      _ name: StaticString, _ about: String, as content: Content = .text
    ) -> Parameter {
      Parameter(name: name.description, kind: .arguments(content), about: about)
    }

    /// A value that may be given: `--name <name>`.
    public static func option(
      _ name: StaticString, _ about: String, as content: Content = .text
    ) -> Parameter {
      Parameter(name: name.description, kind: .option(content), about: about)
    }

    /// Something that may be said: `--name`.
    public static func flag(_ name: StaticString, _ about: String) -> Parameter {
      Parameter(name: name.description, kind: .flag, about: about)
    }
  }
}

/// What a command was called with.
public struct CommandCall: Sendable {
  private let texts: [String: [String]]
  private let files: [String: [File]]
  private let flags: Set<String>

  /// A file that was named for a parameter.
  public struct File: Sendable {
    /// The path as it was typed.
    public let path: String
    /// The file's bytes.
    public let content: [UInt8]

    /// Made by the portal, once the file has been read.
    public init(path: String, content: [UInt8]) {
      self.path = path
      self.content = content
    }
  }

  /// Made by the portal, once the parameters have been read.
  public init(texts: [String: [String]], files: [String: [File]], flags: Set<String>) {
    self.texts = texts
    self.files = files
    self.flags = flags
  }

  /// What was typed for a parameter; nil for an option that was not given.
  public func text(_ name: String) -> String? { texts[name]?.first }

  /// All that was typed for ``Command/Parameter/arguments(_:_:as:)``, in its order.
  public func texts(_ name: String) -> [String] { texts[name] ?? [] }

  /// The content of the file that was named for a parameter; nil for an option that was not given.
  public func file(_ name: String) -> [UInt8]? { files[name]?.first?.content }

  /// All files that were named for ``Command/Parameter/arguments(_:_:as:)``, in their order.
  public func files(_ name: String) -> [File] { files[name] ?? [] }

  /// Whether the flag was given.
  public func has(_ flag: String) -> Bool { flags.contains(flag) }
}

/// A command could not do what it was asked to; the sentence names the remedy.
public struct CommandFailure: Error, Equatable, CustomStringConvertible {
  /// A sentence or several for the terminal.
  public let description: String

  /// Says what went wrong and what to do; quotes nobody's data.
  public init(_ description: String) { self.description = description }
}
