import PolyclinicCore

/// The public details of a doctor besides the name: the name in other scripts, the languages and a short text.
///
/// It is sealed with the portal's keys for the same reason as ``DoctorName``.
struct DoctorProfile: Resealable, Sendable {
  /// The name as readers of each language write it. The public name stands in for a missing one.
  var names = LocalizedText()
  var languages: [SpokenLanguage] = []
  var about = LocalizedText()
  var unknown = Sealed.UnknownFields()

  static let form = Form(
    DoctorProfile(),
    .section(
      "doctor.section.names",
      .text(
        \.names.english, "doctor_name_en", autocomplete: "off", hint: "field.doctor_name_en.hint"),
      .text(\.names.russian, "doctor_name_ru", autocomplete: "off"),
      .text(\.names.hebrew, "doctor_name_he", autocomplete: "off")),
    .rows(\.languages, "spoken", limit: 10, of: SpokenLanguage.form),
    .section(
      "doctor.section.about",
      .lines(
        \.about.english, "doctor_about_en", limit: aboutLimit, hint: "field.doctor_about_en.hint"),
      .lines(\.about.russian, "doctor_about_ru", limit: aboutLimit),
      .lines(\.about.hebrew, "doctor_about_he", limit: aboutLimit)))

  private static let aboutLimit = 1_000
}

extension DoctorProfile {
  private static let column = SealedColumn("appointments_doctors.sealed_profile", form)

  static let migration = Migration(
    "0009-doctor-profiles", "ALTER TABLE appointments_doctors ADD COLUMN sealed_profile \(.bytes)")

  /// Opens a stored profile. Accepts any person's keys, because all of them give access to the portal's keys.
  static func opened(_ sealed: Sealed, of doctor: ID<Doctor>, by keys: Keys) throws -> DoctorProfile
  {
    try column.open(sealed, row: doctor, by: keys.portal)
  }

  /// Seals the profile and stores it. The row must exist.
  func store(of doctor: ID<Doctor>, by keys: Keys, on connection: Connection) throws {
    let sealed = try Self.column.seal(self, row: doctor, by: keys.portal)
    try connection.run(
      "UPDATE appointments_doctors SET sealed_profile = \(sealed) WHERE id_doctor = \(doctor)")
  }

  /// Returns the languages by name in the reader's language, each once, such as “English, Hebrew”.
  func languageNames(in language: Language) -> String {
    var seen: Set<String> = []
    let names = languages.filter { seen.insert($0.code).inserted }.map { $0.name(in: language) }
    let list = names.filter { !$0.isEmpty }.joined(separator: ", ")
    return list.prefix(1).uppercased() + list.dropFirst()
  }
}
