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
      try self.field(
        single.control, name: single.control.name, id: single.control.name,
        value: fields[single.control.name])
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
      return try !control.isUnasked && (!control.isNeeded || control.hasOptions(context))
    case .rows: return true
    case .group(_, let fields, _): return try fields.contains(where: isShown)
    }
  }

  /// Returns one field with its label, hint, error and input.
  func field(
    _ control: Control, name: String, id: String, value: String, isInRow: Bool = false
  ) throws -> HTML {
    let problem = problems.first { $0.field == id }
    if control.isFixed && problem == nil && (value.isEmpty || control.isTold) {
      return hiddenInput(name, value)
    }
    let described = describedBy(id, control, problem)
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
    let isAsked = control.isRequired || control.isExpected || control.isNeeded
    let input = try self.input(
      control, name: name, id: id, value: value,
      isRequired: isAsked && !isInRow && !control.isFixed,
      attributes: "\(attribute: " aria-invalid=\"true\"", if: problem != nil)\(described)")
    if control.isCheck {
      let link: HTML? = control.link.map {
        " <a href=\"\($0)\">\(context.text(control.linkLabel))</a>"
      }
      return """
        <div class="field check\(isInvalid)">\(input)<label for="\(id)">\
        \(context.text(control.label))\(link)</label>\(hint)\(error)</div>
        """
    }
    let optional: HTML? =
      isAsked || control.isAlternative || control.isFixed || isInRow
      ? nil : "<span class=\"mark\">\(context.text("form.optional"))</span>"
    return """
      <div class="field\(isInvalid)\(isWhole)\(isShort)"><label for="\(id)">\(context.text(control.label))\(optional)\
      </label>\(hint)\(input)\(error)</div>
      """
  }

  private func describedBy(_ id: String, _ control: Control, _ problem: Fields.Problem?) -> HTML? {
    switch (control.hint, problem) {
    case (nil, nil): nil
    case (_, nil): " aria-describedby=\"\(id)-hint\""
    case (nil, _): " aria-describedby=\"\(id)-error\""
    default: " aria-describedby=\"\(id)-hint \(id)-error\""
    }
  }

  private func input(
    _ control: Control, name: String, id: String, value: String, isRequired: Bool,
    attributes: HTML
  ) throws -> HTML {
    let purpose: HTML? = control.autocomplete.map { " autocomplete=\"\($0)\"" }
    let named: HTML = " id=\"\(id)\" name=\"\(name)\"\(purpose)"
    let common: HTML = "\(named)\(attribute: " required", if: isRequired)\(attributes)"
    switch control.kind {
    case .lines:
      // Browsers drop a line end right after the tag. This one protects a line end that the user
      // typed.
      return "<textarea\(common) rows=\"4\" maxlength=\"\(control.limit)\">\n\(value)</textarea>"
    case .check:
      return
        "<input type=\"checkbox\"\(common) value=\"yes\"\(attribute: " checked", if: !value.isEmpty)>"
    case .choice(let options):
      return try select(
        options, control, named, chosen: value, isRequired: isRequired, attributes: attributes)
    case .password: return password(control, id, common)
    case .fixed(let words, _):
      return """
        <output id="\(id)" tabindex="-1"\(attributes)>\(try words(value, context))</output>\
        \(hiddenInput(name, value))
        """
    case .date:
      return "<input type=\"date\"\(common) value=\"\(value)\">"
    case .time:
      return "<input type=\"time\"\(common) value=\"\(value)\">"
    case .dateTime: return dateTime(name, id, value: value, common)
    case .file(let accept, _): return "<input type=\"file\"\(common) accept=\"\(accept)\">"
    case .text, .email, .telephone, .number, .integer, .unseen:
      return """
        <input type="\(control.inputType)"\(common) value="\(value)" \
        maxlength="\(control.limit)"\(control.keyboard)\(try suggestions(control, id))
        """
    }
  }

  private func select(
    _ options: Control.Options, _ control: Control, _ named: HTML, chosen: String,
    isRequired: Bool, attributes: HTML
  ) throws -> HTML {
    let offered = try options(context)
    let isKnown = offered.contains { $0.value == chosen }
    let isAsked = control.isRequired || control.isNeeded
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
        "<option value=\"\(option.value)\"\(attribute: " selected", if: option.value == chosen)>\(label(option))</option>"
      })</select>
      """
  }

  private func password(_ control: Control, _ id: String, _ common: HTML) -> HTML {
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

  /// Closes the input's tag and adds the list of suggestions, if there is one.
  private func suggestions(_ control: Control, _ id: String) throws -> HTML {
    switch control.comfort {
    case .cities(let words):
      """
       list="\(id)-suggestions" data-cities="\(context.asset("data/cities.txt"))">\
      \(list(of: words(fields, context), id))
      """
    case .list(let words): " list=\"\(id)-suggestions\">\(list(of: try words(context), id))"
    case .strength, nil: ">"
    }
  }

  private func list(of words: [String], _ id: String) -> HTML {
    """
    <datalist id="\(id)-suggestions">\(each: words, { "<option value=\"\($0)\">" })</datalist>
    """
  }

  func label(_ option: Choice) -> String { context.label(of: option) }
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
      return try field(column, name: name, id: "\(name)-\(number)", value: value, isInRow: true)
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
