import PolyclinicCore

/// One entry of the list.
struct Allergy: Resealable {
  var name = ""
  var note = ""
  /// The fields that a later release stored, kept for when it returns.
  var unknown = Sealed.UnknownFields()

  /// The fields, for the page, for JSON and for storage.
  static let form: Form<Allergy> = Form(
    Allergy(),
    .text(\.name, "name", required: true, limit: 200, autocomplete: "off"),
    .lines(\.note, "note", limit: 1_000))

  /// The table of the entries and the index that their list reads.
  static let records = Records(
    "allergies_records", id: "id_allergy", form: form,
    index: form.excerpt(in: "allergies_index", \.name, by: \.name), title: \.name)
}
