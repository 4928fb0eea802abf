/// The markup of a form's fields.
extension FormView {
  package func view(_ field: Field<Draft>) throws -> HTML {
    switch field {
    case .single(let single) where try !isShown(field):
      // An input that holds the default is omitted: a program that adds the field would send it
      // twice.
      fields[single.control.name] == single.text(form.blank)
        ? HTML() : hiddenInput(single.control.name, fields[single.control.name])
    case .single(let single):
      try FieldView(
        form: self, control: single.control, name: single.control.name, id: single.control.name,
        value: fields[single.control.name]
      ).html
    case .rows(let rows): try group(rows)
    case .group(let legend, let fields, _):
      // The label of a single field says enough.
      if let legend, try fields.flatMap(\.leaves).count(where: isShown) > 1 {
        """
        <fieldset><legend>\(context.text(legend))</legend>\
        <div class="fields">\(try fields.map(view))</div></fieldset>
        """
      } else {
        "\(try fields.map(view))"
      }
    }
  }

  /// Returns true if the reader sees something of the part.
  private func isShown(_ field: Field<Draft>) throws -> Bool {
    switch field {
    case .single(let single):
      let control = single.control
      if problems.contains(where: { $0.field == control.name }) { return true }
      if control.isForOwnPages, context.visitor?.inCare != nil, fields[control.name].isEmpty {
        return false
      }
      if let isAsked = control.isAskedWhere, !isAsked(fields) { return false }
      return try !control.isUnasked && (!control.isNeeded || control.hasOptions(context))
    case .rows: return true
    case .group(_, let fields, _): return try fields.contains(where: isShown)
    }
  }

  func label(_ option: Choice) -> String { context.label(of: option) }
}

/// One input of a form, with its label, hint and error.
private struct FieldView<Draft: Sendable> {
  let form: FormView<Draft>
  let control: Control
  /// The name of the field in the request.
  let name: String
  /// The id of the input; for a field in a row it ends with the row's number.
  let id: String
  let value: String
  var isInRow = false

  private var context: Context { form.context }
  private var problem: Fields.Problem? { form.problems.first { $0.field == id } }
  /// True if the page does not call the field optional.
  private var isAsked: Bool { control.isRequired || control.isExpected || control.isNeeded }
  /// True if the browser refuses an empty input.
  private var isRequired: Bool { isAsked && !isInRow && !control.isFixed }

  var html: HTML {
    get throws {
      if control.isFixed && problem == nil && (value.isEmpty || control.isTold) {
        return form.hiddenInput(name, value)
      }
      let error: HTML? = problem.map {
        "<p class=\"error\" id=\"\(id)-error\">\(context.text($0.text))</p>"
      }
      if control.isUnseen {
        return "<input type=\"hidden\" id=\"\(id)\" name=\"\(name)\" value=\"\">\(error)"
      }
      let hint: HTML? = control.hint.map {
        "<p class=\"hint\" id=\"\(id)-hint\">\(context.text($0))</p>"
      }
      // Full width, because next to another field a hint would push the input below its neighbour.
      let isWhole: HTML? =
        control.hint != nil || control.isPassword || control.takesLines ? " whole" : nil
      let isInvalid: HTML? = problem == nil ? nil : " invalid"
      let isShort: HTML? = control.isWholeNumber && control.hint == nil ? " short" : nil
      if control.isCheck {
        let link: HTML? = control.link.map {
          " <a href=\"\($0)\">\(context.text(control.linkLabel))</a>"
        }
        return """
          <div class="field check\(isInvalid)">\(try input)<label for="\(id)">\
          \(context.text(control.label))\(link)</label>\(hint)\(error)</div>
          """
      }
      let optional: HTML? =
        isAsked || control.isAlternative || control.isFixed || isInRow
        ? nil : "<span class=\"mark\">\(context.text("form.optional"))</span>"
      return """
        <div class="field\(isInvalid)\(isWhole)\(isShort)"><label for="\(id)">\(context.text(control.label))\(optional)\
        </label>\(hint)\(try input)\(error)</div>
        """
    }
  }

  private var named: HTML {
    let purpose: HTML? = control.autocomplete.map { " autocomplete=\"\($0)\"" }
    return " id=\"\(id)\" name=\"\(name)\"\(purpose)"
  }

  /// The references to the hint and the error.
  private var attributes: HTML {
    "\(attribute: " aria-invalid=\"true\"", if: problem != nil)\(described)"
  }

  private var described: HTML? {
    switch (control.hint, problem) {
    case (nil, nil): nil
    case (_, nil): " aria-describedby=\"\(id)-hint\""
    case (nil, _): " aria-describedby=\"\(id)-error\""
    default: " aria-describedby=\"\(id)-hint \(id)-error\""
    }
  }

  /// The attributes of an input of any kind.
  private var common: HTML { "\(named)\(attribute: " required", if: isRequired)\(attributes)" }

  private var input: HTML {
    get throws {
      switch control.kind {
      case .lines:
        // Browsers drop a line end right after the tag. This one protects a line end that the user
        // typed.
        return "<textarea\(common) rows=\"4\" maxlength=\"\(control.limit)\">\n\(value)</textarea>"
      case .check:
        return
          "<input type=\"checkbox\"\(common) value=\"yes\"\(attribute: " checked", if: !value.isEmpty)>"
      case .choice(let options): return select(try options(context))
      case .password: return password
      case .fixed(let words, _):
        return """
          <output id="\(id)" tabindex="-1"\(attributes)>\(try words(value, context))</output>\
          \(form.hiddenInput(name, value))
          """
      case .date:
        return "<input type=\"date\"\(common) value=\"\(value)\">"
      case .time:
        return "<input type=\"time\"\(common) value=\"\(value)\">"
      case .dateTime: return dateTime
      case .file(let accept, _): return "<input type=\"file\"\(common) accept=\"\(accept)\">"
      case .text, .email, .telephone, .number, .integer, .unseen:
        return """
          <input type="\(control.inputType)"\(common) value="\(value)" \
          maxlength="\(control.limit)"\(control.keyboard)\(try suggestions)
          """
      }
    }
  }

  private func select(_ offered: [Choice]) -> HTML {
    let isKnown = offered.contains { $0.value == value }
    // True if the list has its own option for no value, so that no further empty option is needed.
    let saysNothing = offered.contains { $0.value.isEmpty }
    let empty: HTML? =
      isKnown && (isAsked || saysNothing)
      ? nil
      : "<option value=\"\">\(context.text(isAsked ? "form.choose" : "form.none"))</option>"
    // A required list must begin with an empty option (WHATWG HTML, 4.10.7).
    let mayBeEmpty = empty != nil || offered.first?.value.isEmpty == true
    return """
      <select\(named)\(attribute: " required", if: isRequired && mayBeEmpty)\(attributes)>\(empty)\(each: offered, { option in
        "<option value=\"\(option.value)\"\(attribute: " selected", if: option.value == value)>\(form.label(option))</option>"
      })</select>
      """
  }

  private var password: HTML {
    let shown: HTML = """
      <span class="password"><input type="password"\(common) maxlength="\(control.limit)"\
      \(attribute: " data-strength", if: control.comfort != nil) \
      data-show="\(context.text("form.password.show"))" \
      data-hide="\(context.text("form.password.hide"))"></span>
      """
    guard control.comfort != nil else { return shown }
    return shown + """
      <p class="strength" role="status" data-strength-for="\(id)" \
      data-short="\(context.text("form.strength.short", ["n": "{n}"]))" \
      data-weak="\(context.text("form.strength.weak"))" \
      data-fair="\(context.text("form.strength.fair"))" \
      data-good="\(context.text("form.strength.good"))" \
      data-strong="\(context.text("form.strength.strong"))"></p>
      """
  }

  /// The input for the local time. In an hour that repeats when clocks are set back, a choice of the
  /// offset follows.
  private var dateTime: HTML {
    let time = ZonedTime(value)
    let zone = context.formats.timeZone
    let local = time.map { LocalDateTime($0.instant, in: zone) }
    var offset: HTML?
    if let local, case .two(let early, let late) = local.moments(in: zone) {
      let choices = [(early, Text("form.offset.before")), (late, "form.offset.after")]
      offset = """
        <label class="offset" for="\(id)-offset">\(context.text("form.offset"))</label>\
        <select id="\(id)-offset" name="offset">\(each: choices, { moment, label in
          "<option value=\"\(ZonedTime.written(zone.offset(at: moment)))\"\(attribute: " selected", if: moment == time?.instant)>\(context.text(label, ["offset": ZonedTime.written(zone.offset(at: moment))]))</option>"
        })</select>
        """
    }
    return """
      <input type="datetime-local"\(common) value="\(local?.description ?? value)">\(offset)
      """
  }

  /// The end of the input's tag and the list of suggestions, if there is one.
  private var suggestions: HTML {
    get throws {
      switch control.comfort {
      case .cities(let words):
        """
         list="\(id)-suggestions" data-cities="\(context.asset("data/cities.txt"))">\
        \(list(of: words(form.fields, context)))
        """
      case .list(let words): " list=\"\(id)-suggestions\">\(list(of: try words(context)))"
      case .strength, nil: ">"
      }
    }
  }

  private func list(of words: [String]) -> HTML {
    """
    <datalist id="\(id)-suggestions">\(each: words, { "<option value=\"\($0)\">" })</datalist>
    """
  }
}

/// The markup of repeating rows.
extension FormView {
  private func group(_ rows: Field<Draft>.Rows) throws -> HTML {
    let typed = try rows.typed(in: fields)
    let blank = TypedRow(values: rows.blank, origin: nil)
    let shown = typed.isEmpty ? [blank] : typed
    let problem = problems.first { $0.field == rows.name }
    return """
      <fieldset class="rows-group" id="\(rows.name)" tabindex="-1" data-limit="\(rows.limit)"\
      \(problem.map { _ in " aria-describedby=\"\(rows.name)-error\"" })>\
      <legend>\(context.text(rows.text(rows.name)))</legend>\
      \(problem.map { "<p class=\"error\" id=\"\(rows.name)-error\">\(context.text($0.text))</p>" })\
      \(try shown.enumerated().map { try row(rows, $0.element, number: String($0.offset + 1)) })\
      <template>\(try row(rows, blank, number: "{row}"))</template>\
      <p class="rows-limit hint" hidden>\
      \(context.text("error.too-many-rows", ["limit": String(rows.limit)]))</p>\
      <button class="button secondary" name="add" value="\(rows.name)" formnovalidate>\
      \(context.text(rows.text(rows.name + ".add")))</button></fieldset>
      """
  }

  private func row(_ rows: Field<Draft>.Rows, _ row: TypedRow, number: String) throws -> HTML {
    let columns = try zip(rows.columns, row.values).map { column, value in
      let name = rows.fieldName(column)
      return try FieldView(
        form: self, control: column, name: name, id: "\(name)-\(number)", value: value,
        isInRow: true
      ).html
    }
    let isWide: HTML? = columns.count > 2 ? " wide" : nil
    return """
      <div class="row\(isWide)"><input type="hidden" name="\(rows.originName)" \
      value="\(row.origin.map(String.init) ?? "")">\(columns)\
      <button class="button plain danger" name="remove" value="\(rows.name)-\(number)" \
      formnovalidate>\(context.text("form.remove")) <span class="hidden-text">\
      \(context.text(rows.text(rows.name))) <span data-row-number>\(number)</span></span>\
      </button></div>
      """
  }

  /// Adds an empty row to the rows named `name`, or removes a row given such as `method-2`.
  mutating func changeRows(adding name: String, removing row: String) {
    for case .rows(let rows) in form.leaves {
      if rows.name == name {
        fields.append(rows.originName, "")
        for (name, value) in zip(rows.fieldNames, rows.blank) { fields.append(name, value) }
      }
      if row.hasPrefix(rows.name + "-"),
        let number = Int(row.dropFirst(rows.name.utf8.count + 1)), number > 0
      {
        fields.remove(number - 1, from: [rows.originName] + rows.fieldNames)
      }
    }
  }
}

extension Control {
  fileprivate var inputType: StaticString {
    switch kind {
    case .email: "email"
    case .telephone: "tel"
    default: "text"
    }
  }

  /// True for whole numbers, several of which stand side by side within a section.
  fileprivate var isWholeNumber: Bool { if case .integer = kind { true } else { false } }

  /// The keyboard for numbers. The browser's own number inputs are not used, because they refuse a
  /// comma where the browser's language has a point.
  fileprivate var keyboard: HTML? {
    switch kind {
    case .number: " inputmode=\"decimal\""
    case .integer: " inputmode=\"numeric\""
    default: nil
    }
  }
}
