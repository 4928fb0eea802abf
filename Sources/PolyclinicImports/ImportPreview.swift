import PolyclinicCore

/// The page that shows the contents of a file and imports them.
struct ImportPreview<Options: Sendable, Item: Sendable>: FormAnswer {
  let fileImport: FileImport<Options, Item>
  /// The path of the upload form.
  let page: Path
  let cancel: Path

  /// The contents of a file, or the options that must be answered before it can be read.
  struct Content {
    let upload: Upload
    var reading = ImportReading<Options, Item>()
    /// The version of the stored data that the file was compared with.
    var version: [UInt8] = []

    var items: [Item] { reading.rows.compactMap(\.item) }
  }

  var change: Text? { fileImport.title }

  func show(_ context: Context) throws -> Response {
    try shown(context, because: nil, status: 200)
  }

  func submit(_ context: Context) throws -> Response {
    let sent = context.request.fields
    if sent.contains("cancel") { return try leave(context) }
    if let earlier = try context.earlierResponse() { return earlier }
    guard var upload = try find(context) else {
      return try expired(context)
    }
    let options = try fileImport.options.normalized(answers(sent, over: upload.options))
    if sent.contains("again") || options != upload.options {
      upload.options = options
      let (asked, number) = (upload, try id(context))
      try context.write { try asked.replace(number, in: $0) }
      return .redirect(to: context.request.path)
    }
    return try take(upload, context)
  }

  /// Returns the sent options, and the stored ones that the page did not show.
  private func answers(_ sent: Fields, over stored: Fields) -> Fields {
    var answers = sent
    for pair in stored.pairs where !sent.contains(pair.name) {
      answers.append(pair.name, pair.value)
    }
    return answers
  }

  /// Shows the preview again with `reason`. Throws ``Refusal/notFound`` if the file has expired,
  /// because a redirect to the upload form would lose the reason.
  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let again = try shown(context, because: reason, status: status)
    guard again.status == status else { throw Refusal.notFound }
    return again
  }

  /// Returns no fields, because the file and its options stay stored on the server.
  func carried(_ sent: Fields) -> Fields { Fields() }

  private func shown(
    _ context: Context, because reason: Text?, status: Int
  ) throws -> Response {
    guard let upload = try find(context) else {
      return try expired(context)
    }
    let content = try content(of: upload, context)
    return .page(try page(content, context, because: reason), status: status)
  }

  /// Imports the file. It is parsed and encrypted before the transaction, because all other writers
  /// wait for the transaction to end. It only checks that nothing has changed since, and stores the
  /// records.
  private func take(_ upload: Upload, _ context: Context) throws -> Response {
    let content = try content(of: upload, context)
    guard canTake(content) else {
      return .page(try page(content, context, because: nil), status: 422)
    }
    do {
      let items = try selection(context).items(of: content.reading.rows)
      if items.isEmpty { return try shown(context, because: "import.none-chosen", status: 422) }
      let store = try fileImport.save(items, context)
      return try context.respondingOnce { context in
        guard try upload.isKept(as: id(context), of: context.keys.person, on: context),
          try fileImport.version(context) == content.version
        else { throw Refusal.conflict("import.changed") }
        let path = try store(context)
        try Upload.delete(id(context), of: context.keys.person, on: context)
        return .redirect(to: path.resolved(in: context.module))
      }
    } catch Refusal.conflict(let text) {
      return try showAgain(context, because: text, status: 409)
    }
  }

  /// Returns the choice of records; all of them for a file that is imported as a whole.
  private func selection(_ context: Context) -> ImportSelection {
    switch fileImport.tolerance {
    case .leavingOutTheRefused: ImportSelection(context.request.fields)
    case .whole: ImportSelection()
    }
  }

  private func canTake(_ content: Content) -> Bool {
    guard content.reading.problems.isEmpty, !content.items.isEmpty else { return false }
    switch fileImport.tolerance {
    case .leavingOutTheRefused: return true
    case .whole:
      return !content.reading.rows.contains {
        if case .refused = $0.outcome { true } else { false }
      }
    }
  }

  private func content(of upload: Upload, _ context: Context) throws -> Content {
    let (options, problems) = try fileImport.options.read(
      upload.options, over: fileImport.options.blank)
    guard problems.isEmpty else { return Self.content(of: upload, with: problems) }
    do {
      return try context.admission.readingFile(of: upload.content.count) {
        Content(
          upload: upload, reading: try fileImport.read(upload.content, options, context),
          version: try fileImport.version(context))
      }
    } catch Refusal.invalid(let field, let text) {
      return Self.content(of: upload, with: [Fields.Problem(field, text)])
    }
  }

  private static func content(of upload: Upload, with problems: [Fields.Problem]) -> Content {
    var content = Content(upload: upload)
    content.reading.problems = problems
    return content
  }

  private func page(
    _ content: Content, _ context: Context, because reason: Text?
  ) throws -> Page {
    let reading = content.reading
    let questions = reading.questions ?? fileImport.options
    var view = FormView(form: questions, fields: content.upload.options, context: context)
    view.problems = reading.problems
    view.message = reason
    var list = ImportRowList(rows: reading.rows, canTake: canTake(content), context: context)
    if case .leavingOutTheRefused = fileImport.tolerance { list.selection = selection(context) }
    let style: StaticString = questions.fields.isEmpty ? "question" : "form"
    let again = context.submit("import.again", name: "again", style: .secondary)
    let markup: HTML = """
      \(view.summary)\(view.notice)\(reading.problems.isEmpty ? list.summary : nil)\(reading.about)\
      <form id="\(ImportRowList<Item>.form)" class="\(style)" method="post" action="\(context.request.path)">\(context.hiddenFields())\
      \(try questions.fields.map(view.view))\
      \(actions:
        list.takeButton, questions.fields.isEmpty ? nil : again,
        context.button("import.other-file", to: start(context), style: .secondary),
        context.cancelButton())</form>\(list.groups)
      """
    return Page(fileImport.title, markup, back: start(context))
  }

  private func id(_ context: Context) throws -> ID<Upload> { try context.value("upload") }

  private func find(_ context: Context) throws -> Upload? {
    try Upload.find(id(context), for: start(context), in: context)
  }

  private func start(_ context: Context) -> Path { context.start(of: page) }

  private func expired(_ context: Context) throws -> Response {
    .redirect(to: start(context).query(["expired": "yes"]))
  }

  private func leave(_ context: Context) throws -> Response {
    try context.write {
      try Upload.delete(id(context), of: context.keys.person, on: $0)
    }
    let path = cancel.filled(with: context.request.parameters)
    return .redirect(to: path.resolved(in: context.module))
  }
}
