/// The fields of the page's forms, by name.
extension TestPage {
  /// Returns the error at this field, which has the field's `id`; nil if there is none.
  public func error(of field: String) -> String? {
    main.first { $0.attributes["id"] == "\(field)-error" }?.text
  }

  /// The names of the fields with an error, and the error's words, in order.
  var fieldErrors: [(field: String, words: String)] {
    main.all { $0.attributes["id"]?.hasSuffix("-error") ?? false }.map {
      (String($0.attributes["id", default: ""].dropLast("-error".count)), $0.text)
    }
  }

  /// Returns true if there is an error at this field.
  public func hasError(of field: String) -> Bool { error(of: field) != nil }

  /// Returns true if the error at any field has these words.
  public func hasError(_ words: String) -> Bool {
    fieldErrors.contains { $0.words.contains(words) }
  }

  /// Returns true if the page refuses a form with 422, has an error at this field, and links to it.
  public func refuses(_ field: String) -> Bool {
    status == 422 && hasError(of: field) && hasLink(to: "#\(field)")
  }

  /// Returns true if a form has a field or a button with this name.
  public func hasField(_ name: String) -> Bool {
    document.first { $0.isControl && $0.attributes["name"] == name } != nil
  }

  /// Returns true if a form posts to this path.
  public func hasForm(for path: String) -> Bool {
    document.first { $0.name == "form" && $0.attributes["action"] == path } != nil
  }

  /// Returns the value with which the field is sent if the visitor changes nothing; nil if the form
  /// would not send it, as with an empty check box.
  public func value(of field: String) -> String? {
    controls(field).lazy.compactMap(\.sentValue).first
  }

  /// Returns true if the field is filled in with this value; any field if none is named. A form
  /// with rows has several fields of one name.
  public func hasValue(_ value: String, of field: String? = nil) -> Bool {
    controls(field).contains { $0.sentValue == value }
  }

  /// Returns the values that a list of choices or several buttons offer, in order.
  public func choices(of field: String) -> [String] {
    controls(field).flatMap { control in
      control.name == "select"
        ? control.all("option").map(\.optionValue) : [control.attributes["value"] ?? ""]
    }
  }

  /// Returns true if a list of choices or a button offers this value.
  public func hasChoice(_ value: String, of field: String) -> Bool {
    choices(of: field).contains(value)
  }

  /// Returns true if a list of choices offers one with these words.
  public func offers(_ words: String, in field: String) -> Bool {
    controls(field).flatMap { $0.all("option") }.contains { $0.text.contains(words) }
  }

  /// Returns true if the field takes free text, and the value is of words.
  func takesWords(_ value: String, in field: String) -> Bool {
    value.contains(where: \.isLetter) && !value.contains { "@:/".contains($0) }
      && controls(field).contains(where: \.isFreeText)
  }

  /// The forms of the page that change something, once for each of their buttons.
  var postedForms: [PostedForm] {
    document.all { $0.name == "form" && $0.attributes["method"] == "post" }.flatMap { form in
      let controls = form.all(where: \.isControl)
      let hidden = controls.filter { $0.attributes["type"] == "hidden" }.compactMap {
        $0.attributes["name"]
      }
      return form.all("button").filter { $0.attributes["type"] != "button" }.compactMap {
        button -> PostedForm? in
        guard let path = button.attributes["formaction"] ?? form.attributes["action"] else {
          return nil
        }
        let own = button.attributes["name"].map { [($0, button.attributes["value"] ?? "")] } ?? []
        return PostedForm(
          path: path, shape: "\(path) \(hidden) \(own)",
          fields: controls.compactMap(\.sentField) + own)
      }
    }
  }

  /// Returns what a browser sends for the unchanged form that posts to this path, in order; nil if
  /// the page has no such form.
  func sentFields(to path: String) -> [(String, String)]? {
    let form = document.first { $0.name == "form" && $0.attributes["action"] == path }
    return form?.all(where: \.isControl).compactMap(\.sentField)
  }

  /// Returns the fields with this name; all of them if it is nil.
  private func controls(_ name: String?) -> [TestElement] {
    document.all { $0.isControl && (name == nil || $0.attributes["name"] == name) }
  }
}

extension TestElement {
  fileprivate var isControl: Bool { ["input", "select", "textarea", "button"].contains(name) }

  fileprivate var isFreeText: Bool {
    name == "textarea" || name == "input" && attributes["type", default: "text"] == "text"
  }

  /// The name and the value that a browser sends for an unchanged control; nil if it sends none.
  fileprivate var sentField: (String, String)? {
    guard let name = attributes["name"], attributes["type"] != "file", let sentValue else {
      return nil
    }
    return (name, sentValue)
  }

  fileprivate var optionValue: String { attributes["value"] ?? text }

  /// The value that a browser sends for an unchanged control; nil if it sends none.
  fileprivate var sentValue: String? {
    switch name {
    case "select":
      let options = all("option")
      return (options.first { $0.attributes["selected"] != nil } ?? options.first)?.optionValue
    case "textarea":
      // The first line end belongs to the tag.
      return rawText.hasPrefix("\n") ? String(rawText.dropFirst()) : rawText
    case "button": return nil
    default:
      let isChoice = ["checkbox", "radio"].contains(attributes["type"])
      if isChoice && attributes["checked"] == nil { return nil }
      return attributes["value"] ?? (isChoice ? "on" : "")
    }
  }
}
