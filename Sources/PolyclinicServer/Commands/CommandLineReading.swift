import PolyclinicCore
import PolyclinicSystem

/// A parser for the arguments of a module's command. It follows swift-argument-parser, which the
/// portal's own commands use: `--name VALUE`, `--name=VALUE`, `--flag`, and positional values.
/// After `--` all arguments are positional.
struct CommandLineReading {
  /// The value of `--config`.
  private(set) var config: String?
  private(set) var wantsHelp = false
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  private let parameters: [Command.Parameter]

  /// Parses the arguments. Throws ``UsageError`` for wrong ones.
  init(_ words: [String], for command: Command) throws {
    parameters = command.parameters
    var rest = words[...]
    var places = parameters.filter(\.isArgument)[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if !areOptionsOver, word == "--" {
        areOptionsOver = true
      } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
        try take(option: word, &rest)
      } else if let place = places.first {
        values[place.name, default: []].append(word)
        if !place.takesSeveral { places.removeFirst() }
      } else {
        throw UsageError("Unexpected argument '\(word)'")
      }
    }
    if let missing = places.first, values[missing.name] == nil, !wantsHelp {
      throw UsageError("Missing expected argument '<\(missing.name)>'")
    }
  }

  private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws {
    if word == "-h" || word == "--help" {
      wantsHelp = true
      return
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let known = parameters.first { $0.kind == .flag && "--\($0.name)" == name }
    if let known, parts.count == 1 {
      flags.insert(known.name)
      return
    }
    guard
      name == "--config" || parameters.contains(where: { $0.isOption && "--\($0.name)" == name })
    else { throw unknown(name) }
    guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
      throw UsageError("Missing value for '\(name) <\(name.dropFirst(2))>'")
    }
    if name == "--config" { config = value } else { values[String(name.dropFirst(2))] = [value] }
  }

  private func unknown(_ name: String) -> UsageError {
    let known =
      parameters.filter { !$0.isArgument }.map { "--\($0.name)" } + ["--config", "--help"]
    let nearest = Suggestion(for: name, among: known).nearest.map { ". Did you mean '\($0)'?" }
    return UsageError("Unknown option '\(name)'\(nearest ?? "")")
  }

  /// The files that the arguments name.
  var files: [NamedFile] {
    parameters.filter { $0.content == .file }
      .flatMap { (values[$0.name] ?? []).map(NamedFile.existing) }
  }

  /// The largest size of a named file, in bytes: twice that of the largest table of figures that is
  /// published.
  private static let fileLimit = 256 * 1_024 * 1_024

  /// Returns the command's input, with files already read. Throws ``Command/Failure`` if a file
  /// cannot be read.
  func call() throws -> Command.Call {
    var texts = values
    var files: [String: [Command.Call.File]] = [:]
    for parameter in parameters where parameter.content == .file {
      guard let paths = texts.removeValue(forKey: parameter.name) else { continue }
      files[parameter.name] = try paths.map {
        Command.Call.File(path: $0, content: try Self.content(of: $0))
      }
    }
    return Command.Call(texts: texts, files: files, flags: flags)
  }

  private static func content(of path: String) throws -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile.reading(path).read(atMost: fileLimit)
    } catch {
      throw Command.Failure("The file cannot be read: \(error.sentence)")
    }
    guard bytes.count <= fileLimit else {
      throw Command.Failure("\(path) is larger than \(fileLimit / 1_024 / 1_024) MB.")
    }
    return bytes
  }
}

/// An error: wrong arguments for the command (exit status 2).
struct UsageError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

extension Command.Parameter {
  var isArgument: Bool { if case .argument = kind { true } else { takesSeveral } }
  var takesSeveral: Bool { if case .arguments = kind { true } else { false } }
  var isOption: Bool { if case .option = kind { true } else { false } }

  /// The content of the parameter's value; nil for a flag.
  package var content: Content? {
    switch kind {
    case .argument(let content), .arguments(let content), .option(let content): content
    case .flag: nil
    }
  }
}
