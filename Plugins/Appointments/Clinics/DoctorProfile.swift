import PolyclinicCore

/// The public details of a doctor besides the name: the name in other scripts, the languages, facts
/// by which patients choose, and a short text.
///
/// It is sealed with the portal's keys for the same reason as ``DoctorName``.
struct DoctorProfile: Resealable, Sendable {
  /// The name as readers of each language write it. The public name stands in for a missing one.
  var names = LocalizedText()
  var languages: [SpokenLanguage] = []
  /// The price of a visit in the clinic's own words, such as “60 BYN, free with insurance”.
  var fee = ""
  /// The year in which the doctor began to practise.
  var practiceSince: Int?
  /// The value of a ``NewPatients``; empty if it is unknown.
  var newPatients = ""
  var about = LocalizedText()
  var unknown = Sealed.UnknownFields()

  /// The answer to “Does the doctor accept new patients?”
  enum NewPatients: String, CaseIterable, Sendable { case accepted, refused }

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
      "doctor.section.visits",
      .choice(\.newPatients, "new_patients", hint: "field.new_patients.hint") { _ in
        NewPatients.allCases.map {
          Choice($0.rawValue, .text(Text("new_patients.\($0.rawValue)")))
        }
      },
      .text(\.fee, "fee", limit: 100, autocomplete: "off", hint: "field.fee.hint"),
      .integer(\.practiceSince, "practice_since", in: 1930...2100)),
    .section(
      "doctor.section.about",
      .lines(
        \.about.english, "doctor_about_en", limit: aboutLimit, hint: "field.doctor_about_en.hint"),
      .lines(\.about.russian, "doctor_about_ru", limit: aboutLimit),
      .lines(\.about.hebrew, "doctor_about_he", limit: aboutLimit)))

  private static let aboutLimit = 1_000
}

extension DoctorProfile {
  private static let column = SealedColumn("appointments_doctor_profiles.sealed_profile", form)

  /// A table of its own, because an erasure deletes the profile while the doctor's row stays.
  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_doctor_profiles (
      doctor \(.integer) NOT NULL PRIMARY KEY
        REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      person \(.person),
      sealed_profile \(.bytes) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX appointments_doctor_profiles_person ON appointments_doctor_profiles (person)",
  ]

  /// Opens a stored profile. Accepts any person's keys, because all of them give access to the
  /// portal's keys.
  static func opened(_ sealed: Sealed, of doctor: ID<Doctor>, by keys: Keys) throws -> DoctorProfile
  {
    try column.open(sealed, row: doctor, by: keys.portal)
  }

  /// Seals the profile and stores it. A doctor whose account was erased has none.
  func store(of doctor: ID<Doctor>, in work: Work) throws {
    let sealed = try Self.column.seal(self, row: doctor, by: work.keys.portal)
    try work.run(
      """
      INSERT INTO appointments_doctor_profiles (doctor, person, sealed_profile)
      SELECT id_doctor, person, \(sealed) FROM appointments_doctors
      WHERE id_doctor = \(doctor) AND person IS NOT NULL
      ON CONFLICT (doctor) DO UPDATE SET sealed_profile = excluded.sealed_profile
      """)
  }

  /// True if only patients whom the doctor knows can book.
  var refusesNewPatients: Bool { NewPatients(rawValue: newPatients) == .refused }

  /// True if the doctor speaks the language with this code.
  func isSpoken(_ code: String) -> Bool { languages.contains { $0.code == code } }

  /// Returns the languages by name in the reader's language, each once, such as “English, Hebrew”.
  func languageNames(in language: Language) -> String {
    var seen: Set<String> = []
    let names = languages.filter { seen.insert($0.code).inserted }.map { $0.name(in: language) }
    let list = names.filter { !$0.isEmpty }.joined(separator: ", ")
    return list.prefix(1).uppercased() + list.dropFirst()
  }
}
