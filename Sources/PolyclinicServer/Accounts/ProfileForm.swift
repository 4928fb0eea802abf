import PolyclinicCore

extension Profile {
  /// The fields of a profile: for registration, for its page, and for what is sealed.
  static let form = Form(
    Profile(), .section("profile.section.sign-in", login, email), person, address)

  /// By what the person signs in.
  static let signIn = Form(Profile(), login, email)

  /// All else.
  static let about = Form(Profile(), person, address)

  private static let login: Field<Profile> = .text(
    \.login, "login", required: true, limit: 64, autocomplete: "username",
    hint: "field.login.hint", rule: loginProblem)

  private static let email: Field<Profile> = .email(
    \.email, "email", required: true, hint: "field.email.hint")

  private static let person: Field<Profile> = .section(
    "profile.section.person",
    .text(
      \.name, "name", required: true, limit: 100, autocomplete: "given-name", rule: nameProblem),
    .text(
      \.patronymic, "patronymic", limit: 100, autocomplete: "additional-name", rule: nameProblem),
    .text(
      \.surname, "surname", required: true, limit: 100, autocomplete: "family-name",
      rule: nameProblem),
    .date(\.birthDate, "birth_date", autocomplete: "bday"),
    .choice(\.sex, "sex", autocomplete: "sex") { _ in
      ["female", "male", "other"].map { Choice($0, .text(Text("sex.\($0)"))) }
    },
    .telephone(\.phone, "phone"))

  private static let address: Field<Profile> = .section(
    "profile.section.address",
    .choice(\.country, "country", required: true, autocomplete: "country") { context in
      Countries.sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
    },
    .text(
      \.city, "city", required: true, limit: 100, autocomplete: "address-level2",
      comfort: .suggestions(largeCities, script: "cities.js", source: "cities.txt")),
    .text(\.street, "street", required: true, limit: 200, autocomplete: "address-line1"),
    .text(
      \.houseNumber, "house_number", required: true, limit: 20, autocomplete: "address-line2",
      rule: { $0.contains { $0.isNumber || $0.isLetter } ? nil : "error.house-number" }))

  /// A login holds no `@`, which tells it from an e-mail, and no blank.
  static func loginProblem(_ login: String) -> Text? {
    let isPlain = login.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    return isPlain && login.contains { $0.isLetter || $0.isNumber } ? nil : "error.login"
  }

  /// A name is letters of any script, with hyphens, apostrophes, full stops and blanks among them.
  private static func nameProblem(_ name: String) -> Text? {
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.generalCategory == .nonspacingMark
        || namePunctuation.contains($0)
    }
    return isName && name.contains(where: \.isLetter) ? nil : "error.name"
  }

  /// What stands among a name's letters: hyphens (Hebrew's too), apostrophes, and the joiners without
  /// which Persian and Indic names are misspelt.
  private static let namePunctuation = Set(
    "-‐‑–־'’ʼ`´. ·・״׳\u{200C}\u{200D}".unicodeScalars)

  /// What is suggested where no script looks for more: the largest towns where the clinic's people live.
  private static func largeCities(_ context: Context) -> [String] {
    let countries =
      switch context.language {
      case .english: ["GB", "US"]
      case .russian: ["RU", "BY"]
      case .hebrew: ["IL"]
      }
    guard let visit = context.visit else { return [] }
    return countries.flatMap {
      visit.front.assets.cities.suggestions(in: $0, language: context.language, limit: 20)
    }
  }
}
