import PolyclinicCore
import PolyclinicPlaces

extension Profile {
  /// All profile fields, for the sealed record and the person's export.
  package static let form = Form(
    Profile(), login, email, name, patronymic, surname, birthDate, sex, phone,
    address(.required))

  /// The fields used for signing in.
  package static let signIn = Form(Profile(), login, email)

  /// All other fields.
  package static func about(_ rule: AskingRule) -> Form<Profile> {
    Form(
      Profile(),
      .section("profile.section.person", name, patronymic, surname, birthDate, sex, phone),
      address(rule))
  }

  /// The names and the e-mail address, without which nobody registers, and the telephone number.
  package static let identity = Form(Profile(), name, surname, email, phone)

  /// The login, which may be empty for the one that the e-mail address proposes.
  package static let proposedLoginForm = Form(
    Profile(),
    .text(
      \.login, "login", limit: 64, autocomplete: "username", hint: "field.login.proposed",
      rule: loginProblem))

  /// Returns the part of the e-mail address before the `@` as a login. Throws
  /// ``Refusal/invalid(_:_:)`` if it has no letter and no digit.
  package func proposedLogin() throws -> String {
    let local = email.prefix { $0 != "@" }.prefix(64)
    let login = String(local.filter { $0.isLetter || $0.isNumber || "._-".contains($0) })
    if Self.loginProblem(login) != nil { throw Refusal.invalid("login", "error.required") }
    return login
  }

  /// The fields about a child whom a parent enters.
  package static let child = Form(Profile(), name, surname, birthDate.expected, sex)

  /// The fields that the profile asks for later than registration.
  package static let details = Form(Profile(), patronymic, birthDate, sex)

  /// The postal address.
  package static func addressForm(_ rule: AskingRule) -> Form<Profile> {
    Form(Profile(), address(rule))
  }

  private static let login: Field<Profile> = .text(
    \.login, "login", required: true, limit: 64, autocomplete: "username",
    hint: "field.login.hint", rule: loginProblem)

  private static let email: Field<Profile> = .email(
    \.email, "email", required: true, hint: "field.email.hint")

  private static let name: Field<Profile> = .text(
    \.name, "name", required: true, limit: 100, autocomplete: "given-name", rule: nameProblem)

  private static let patronymic: Field<Profile> = .text(
    \.patronymic, "patronymic", limit: 100, autocomplete: "additional-name", rule: nameProblem)

  private static let surname: Field<Profile> = .text(
    \.surname, "surname", required: true, limit: 100, autocomplete: "family-name",
    rule: nameProblem)

  private static let birthDate: Field<Profile> = .date(
    \.birthDate, "birth_date", autocomplete: "bday",
    rule: { $0.year < 1_900 ? "error.birth-date" : nil }
  ).untilToday

  private static let sex: Field<Profile> = .choice(\.sex, "sex", autocomplete: "sex") { _ in
    ["female", "male", "other"].map { Choice($0, .text(Text("sex.\($0)"))) }
  }

  private static let phone: Field<Profile> = .telephone(
    \.phone, "phone", hint: "field.phone.hint")

  /// Returns the fields of the address. An optional address is given completely or not at all; a
  /// country alone is none, because the form proposes one.
  private static func address(_ rule: AskingRule) -> Field<Profile> {
    let required = rule == .required
    let country: Field<Profile> = .choice(
      \.country, "country", required: required, autocomplete: "country",
      hint: required ? nil : "profile.address.hint"
    ) { context in
      Countries.sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
    }
    let city: Field<Profile> = .text(
      \.city, "city", required: required, limit: 100, autocomplete: "address-level2"
    ).helped(by: .cities(largeCities))
    let street: Field<Profile> = .text(
      \.street, "street", required: required, limit: 200, autocomplete: "address-line1")
    let house: Field<Profile> = .text(
      \.houseNumber, "house_number", required: required, limit: 20,
      autocomplete: "address-line2",
      rule: { $0.contains { $0.isNumber || $0.isLetter } ? nil : "error.house-number" })
    return .group(
      "profile.section.address", [country, city, street, house],
      [
        missing("country", \.country), missing("city", \.city), missing("street", \.street),
        missing("house_number", \.houseNumber),
      ])
  }

  /// Returns the rule that a part of the address is not missing if others are there.
  private static func missing(
    _ field: String, _ part: KeyPath<Profile, String> & Sendable
  ) -> Field<Profile>.Rule {
    { profile in
      profile.hasAddress && profile[keyPath: part].isEmpty
        ? Fields.Problem(field, "error.required") : nil
    }
  }

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

  /// Suggestions for browsers without scripts: the largest towns of the country in the form, or of
  /// those where readers of the language live.
  private static func largeCities(_ form: Fields, _ context: Context) -> [String] {
    let chosen = form["country"]
    let usual =
      switch context.language {
      case .english: ["GB", "US"]
      case .russian: ["RU", "BY"]
      case .hebrew: ["IL"]
      }
    guard let towns = context.portal.find((any Towns).self) else { return [] }
    let countries = chosen.isEmpty ? usual : [chosen]
    return countries.flatMap { towns.largest(in: $0, language: context.language, limit: 20) }
  }
}
