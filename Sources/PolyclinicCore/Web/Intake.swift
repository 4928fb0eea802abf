/// How a file that people bring along is read, shown to them, and upon their yes taken in: all of it in
/// one transaction, or nothing.
public struct Intake<Options: Sendable, Item: Sendable>: Sendable {
  /// Takes a file apart and compares it with what is stored; stores nothing. It throws
  /// ``Refusal/invalid(_:_:)`` for an option that has to be answered, and for the field `file` where the
  /// file is of another kind.
  public typealias Read =
    @Sendable ([UInt8], Options, Context, Connection) throws -> [Arrival<Item>]
  /// Returns bytes that differ after each change of what ``Read`` compares a file with, such as
  /// ``SealedIndex/version(by:on:)``: a file is read before the transaction that stores it.
  public typealias Version = @Sendable (Context, Connection) throws -> [UInt8]
  /// Seals what was read, and returns what stores it inside the transaction and says where to go.
  public typealias Save = @Sendable ([Item], Context) throws -> Storing
  /// Stores what was sealed, and says where to go.
  public typealias Storing = (Connection) throws -> Path

  /// What one record that is refused means for the others.
  public enum Tolerance: Sendable {
    /// The file is refused whole.
    case whole
    /// The others can go in.
    case leavingOutTheRefused
  }

  let title: Text
  let about: Text
  let accept: StaticString
  let limit: Int
  let tolerance: Tolerance
  let options: Form<Options>
  let read: Read
  let version: Version
  let save: Save

  /// `about` tells which files are understood, `accept` is what a browser offers, `limit` is in bytes;
  /// `options` are asked with the file, and can be changed while what it holds is shown.
  public init(
    title: Text, about: Text, accept: StaticString, limit: Int, tolerance: Tolerance,
    options: Form<Options>, read: @escaping Read, version: @escaping Version,
    save: @escaping Save
  ) {
    self.title = title
    self.about = about
    self.accept = accept
    self.limit = limit
    self.tolerance = tolerance
    self.options = options
    self.read = read
    self.version = version
    self.save = save
  }

  /// A file of which nothing has to be asked.
  public init(
    title: Text, about: Text, accept: StaticString, limit: Int, tolerance: Tolerance,
    read: @escaping @Sendable ([UInt8], Context, Connection) throws -> [Arrival<Item>],
    version: @escaping Version, save: @escaping Save
  ) where Options == NoOptions {
    self.init(
      title: title, about: about, accept: accept, limit: limit, tolerance: tolerance,
      options: Form(NoOptions()),
      read: { file, _, context, connection in
        try read(file, context, connection)
      }, version: version, save: save)
  }
}

/// What is asked where nothing is.
public struct NoOptions: Sendable {
  /// Nothing.
  public init() {}
}

extension Route {
  /// The two pages of an ``Intake``: at `path` a file is sent, below it is shown what it holds. Until
  /// then the file is kept sealed, for an hour.
  ///
  /// They say `import.…`, which a module may say in its own words.
  public static func intake<Options, Item>(
    _ path: StaticString, _ intake: Intake<Options, Item>, cancel: Path
  ) -> [Route] {
    let arriving = IntakePage(intake: intake)
    let preview = IntakePreview(
      intake: intake, page: Path(stringLiteral: path), cancel: cancel)
    return [
      .form(
        path, arriving.form, title: intake.title, cancel: cancel, submit: "import.look",
        about: arriving.about, prepare: arriving.check, save: arriving.keep),
      Route("\(path)/{upload}", .signedIn, .form(preview)),
    ]
  }
}

/// The page on which a file is chosen.
struct IntakePage<Options: Sendable, Item: Sendable>: Sendable {
  let intake: Intake<Options, Item>

  struct Draft: Sendable {
    var file = ""
    var options: Options
  }

  var form: Form<Draft> {
    Form(
      Draft(options: intake.options.blank),
      .file(\.file, "file", accept: intake.accept, limit: intake.limit),
      .part(\.options, intake.options))
  }

  @Sendable func about(_ context: Context) throws -> HTML? {
    let expired: HTML? =
      context.request.query.contains("expired")
      ? "<div class=\"notice warning\" role=\"alert\"><p>\(context.text("import.expired"))</p></div>"
      : nil
    return "\(expired)<p>\(context.text(intake.about))</p>"
  }

  /// A file of another kind comes back at once; what has to be asked about a file is asked beside
  /// what it holds.
  @Sendable func check(_ draft: inout Draft, _ context: Context) throws {
    let (file, options) = (try content(context), draft.options)
    do {
      try context.submissions.readingFile(of: file.count) {
        _ = try context.database.read { try intake.read(file, options, context, $0) }
      }
    } catch Refusal.invalid(let field, _) where field != "file" {
      return
    }
  }

  @Sendable func keep(
    _ draft: Draft, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let page = context.request.path
    let upload = Upload(try content(context), options: intake.options.fields(of: draft.options))
    let id = try upload.insert(
      for: page, at: context.now, by: context.keys, on: connection)
    return "\(page)/\(id)"
  }

  private func content(_ context: Context) throws -> [UInt8] {
    guard let file = context.request.files["file"], !file.isEmpty else {
      throw Refusal.invalid("file", "import.no-content")
    }
    guard file.count <= intake.limit else {
      let limit = context.formats.number(intake.limit >> 20)
      throw Refusal.invalid("file", Text("import.too-large", ["limit": limit]))
    }
    return file
  }
}
