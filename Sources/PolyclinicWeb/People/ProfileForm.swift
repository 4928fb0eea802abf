import PolyclinicCore
import PolyclinicPlaces

extension Profile {
  /// All profile fields, for registration and for the sealed record.
  package static let form = Form(
    Profile(), .section("profile.section.sign-in", login, email), person, address)

  /// The fields used for signing in.
  package static let signIn = Form(Profile(), login, email)

  /// All other fields.
  package static let about = Form(Profile(), person, address)

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

  /// Rejects a login with an `@`, which would make it look like an e-mail, or with a space.
  package static func loginProblem(_ login: String) -> Text? {
    let isPlain = login.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    return isPlain && login.contains { $0.isLetter || $0.isNumber } ? nil : "error.login"
  }

  /// Accepts letters of any script, with hyphens, apostrophes, full stops and spaces between them.
  private static func nameProblem(_ name: String) -> Text? {
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.generalCategory == .nonspacingMark
        || namePunctuation.contains($0)
    }
    return isName && name.contains(where: \.isLetter) ? nil : "error.name"
  }

  /// Characters allowed between the letters of a name: hyphens (Hebrew's too), apostrophes, and the
  /// joiners that correct Persian and Indic spelling needs.
  private static let namePunctuation = Set(
    "-‐‑–־'’ʼ`´. ·・״׳\u{200C}\u{200D}".unicodeScalars)

  /// Suggestions for browsers without scripts: the largest towns of the countries where the
  /// clinic's patients live.
  private static func largeCities(_ context: Context) -> [String] {
    let countries =
      switch context.language {
      case .english: ["GB", "US"]
      case .russian: ["RU", "BY"]
      case .hebrew: ["IL"]
      }
    guard let towns = context.portal.find((any Towns).self) else { return [] }
    return countries.flatMap { towns.largest(in: $0, language: context.language, limit: 20) }
  }
}
