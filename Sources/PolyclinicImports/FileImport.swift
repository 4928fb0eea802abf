import PolyclinicCore

/// A file import: the file is read, shown in a preview, and stored after the user confirms it. One
/// transaction stores all records of the file or none.
public struct FileImport<Options: Sendable, Item: Sendable>: Sendable {
  /// Parses a file and compares it with the stored data, without storing anything.
  ///
  /// Throws `Refusal.invalid(_:_:)` for an option that the user has to answer, and for the field
  /// `file` if the file is of the wrong type.
  public typealias Read =
    @Sendable ([UInt8], Options, Context) throws -> ImportReading<Options, Item>
  /// Returns a version of the stored data that ``Read`` compares a file with, such as
  /// `SealedIndex.version(in:)`. Its bytes must differ after each change, because the file is
  /// read before the transaction that stores it.
  public typealias Version = @Sendable (Context) throws -> [UInt8]
  /// Encrypts the records before the transaction, and returns the function that stores them inside
  /// it.
  public typealias Save = @Sendable ([Item], Context) throws -> Storing
  /// Stores the encrypted records and returns the path of the next page.
  public typealias Storing = (Context) throws -> Path

  /// The effect of a refused record on the rest of the file.
  public enum Tolerance: Sendable {
    /// The whole file is refused.
    case whole
    /// The other records can be imported.
    case leavingOutTheRefused
  }

  let title: Text
  let about: Text
  let guide: [Text]
  let accept: StaticString
  let limit: Int
  let tolerance: Tolerance
  let options: Form<Options>
  let read: Read
  let version: Version
  let save: Save

  /// Creates a file import.
  ///
  /// - `about` describes the supported files.
  /// - `guide` says how to get such a file from each program.
  /// - `accept` lists the file types that the browser offers.
  /// - `limit` is the maximum file size in bytes.
  /// - `options` are fields shown beside the file input; the user can change them in the preview.
  ///   ``ImportReading`` chooses those that the preview shows.
  public init(
    title: Text, about: Text, guide: [Text] = [], accept: StaticString, limit: Int,
    tolerance: Tolerance,
    options: Form<Options>, read: @escaping Read, version: @escaping Version,
    save: @escaping Save
  ) {
    self.title = title
    self.about = about
    self.guide = guide
    self.accept = accept
    self.limit = limit
    self.tolerance = tolerance
    self.options = options
    self.read = read
    self.version = version
    self.save = save
  }
}

/// The options of an import that has none.
public struct NoOptions: Sendable {
  /// Creates the empty options.
  public init() {}
}

extension Context {
  /// Returns the path of an import's upload form, without the part about a person in care: the file
  /// is stored for that person, and found by this path.
  func start(of form: Path) -> Path {
    form.filled(with: request.parameters).resolved(in: module)
  }
}

extension Route {
  /// Returns the two pages of an ``FileImport``: the upload form at `path`, and the preview below
  /// it. The file is kept encrypted for at most an hour, until the user confirms.
  ///
  /// The pages use the texts `import.…`, which a module can override in its catalog.
  public static func fileImport<Options, Item>(
    _ path: Path, _ fileImport: FileImport<Options, Item>, cancel: Path
  ) -> [Route] {
    let upload = UploadPage(fileImport: fileImport, path: path)
    let preview = ImportPreview(fileImport: fileImport, page: path, cancel: cancel)
    return [
      Route(path, access: .signedIn, answer: .form(upload.page(cancel: cancel)))
        .titled(fileImport.title),
      Route("\(path)/{upload}", access: .signedIn, answer: .form(preview)),
    ]
  }
}

/// The page with the upload form.
struct UploadPage<Options: Sendable, Item: Sendable>: Sendable {
  let fileImport: FileImport<Options, Item>
  let path: Path

  struct Draft: Sendable {
    var file = ""
    var options: Options
  }

  var form: Form<Draft> {
    Form(
      Draft(options: fileImport.options.blank),
      .file(\.file, "file", accept: fileImport.accept, limit: fileImport.limit),
      .part(\.options, fileImport.options))
  }

  func page(cancel: Path) -> FormPage<Void, Draft> {
    var page = FormPage<Void, Draft>(
      form, title: fileImport.title, cancel: cancel, load: { _ in },
      start: { _, _ in form.blank }, save: { draft, _, context in try keep(draft, context) })
    page.submitLabel = "import.look"
    page.isStep = true
    page.about = { _, context in about(context) }
    page.prepare = { draft, _, context in try check(&draft, context) }
    return page
  }

  private func about(_ context: Context) -> HTML? {
    let expired: HTML? =
      context.request.query.contains("expired") ? context.notice(.problem, "import.expired") : nil
    let guide: HTML? =
      fileImport.guide.isEmpty
      ? nil : "<ul>\(each: fileImport.guide, { "<li>\(context.text($0))</li>" })</ul>"
    return "\(expired)<p>\(context.text(fileImport.about))</p>\(guide)"
  }

  /// Refuses a file of the wrong type, and takes the options that the file itself shows. Problems
  /// with the options are ignored, because the preview shows them beside the options.
  private func check(_ draft: inout Draft, _ context: Context) throws {
    let (file, options) = (try content(context), draft.options)
    do {
      let reading = try context.admission.readingFile(of: file.count) {
        try fileImport.read(file, options, context)
      }
      draft.options = reading.options ?? options
    } catch Refusal.invalid(let field, _) where field != "file" {
      return
    }
  }

  private func keep(_ draft: Draft, _ context: Context) throws -> Redirect {
    let page = context.start(of: path)
    let upload = Upload(try content(context), options: fileImport.options.fields(of: draft.options))
    let id = try upload.insert(for: page, in: context)
    return Redirect(to: "\(page)/\(id)")
  }

  private func content(_ context: Context) throws -> [UInt8] {
    guard let file = context.request.files["file"], !file.isEmpty else {
      throw Refusal.invalid("file", "import.no-content")
    }
    guard file.count <= fileImport.limit else {
      let limit = context.formats.number(fileImport.limit >> 20)
      throw Refusal.invalid("file", Text("import.too-large", ["limit": limit]))
    }
    return file
  }
}
