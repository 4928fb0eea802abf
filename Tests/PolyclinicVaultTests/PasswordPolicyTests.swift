import Testing

@testable import PolyclinicVault

@Suite struct PasswordPolicyTests {
  let policy = PasswordPolicy(portalName: "Polyclinic №7 of Brest")
  let personal = ["anna.petrova", "Anna", "Petrova", "a.petrova85@mail.example"]

  @Test(arguments: [
    "correct donkey lamp staple", "mein Hund heißt Waldemar", "корабль лиловый чайник утёс",
    "ארבע כוסות תה חם ביער", "x7Kq9vTz2mWp4Ls", "837465920174635", "violet-kettle-runs-uphill",
    "I swim at 6 with my two cats", "🐢🚲🌵🎷🧦🍋🪁🧊🎈🥁🦔🧭🪴🫖🪗", "小さな青い魚が川を泳いで海へ行く",
  ])
  func `an unpredictable password is accepted in any script`(password: String) {
    #expect(policy.problem(with: password, personal: personal) == nil)
  }

  @Test func `a password needs 15 composed code points and at most 1 KiB of UTF-8`() {
    #expect(policy.problem(with: "x7Kq9vTz2mWp4L", personal: []) == .tooShort)
    #expect(policy.problem(with: "", personal: []) == .tooShort)
    #expect(policy.problem(with: "e\u{301}x7Kq9vTz2mWp4", personal: []) == .tooShort)
    let phrase = "violet kettle runs uphill "
    #expect(
      policy.problem(with: phrase + String(repeating: "б", count: 500), personal: []) == .tooLong)
    #expect(policy.problem(with: phrase + String(repeating: "б", count: 499), personal: []) == nil)
  }

  @Test(arguments: [
    "aaaaaaaaaaaaaaa", "abababababababab", "xq7xq7xq7xq7xq7xq7", "kot!kot!kot!kot!",
    "Tr0ub4dor&3Tr0ub4dor&3",
    "ааааааааааааааааа",
    "               ", "- - - - - - - - -", "AaAaAaAaAaAaAaAa", "parolparolparol",
    "סיסמהסיסמהסיסמה", "👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍",
  ])
  func `a repeated pattern is refused at any length`(password: String) {
    #expect(policy.problem(with: password, personal: personal) == .repeats)
    let long = String(repeating: password, count: 1_000 / password.utf8.count)
    #expect(policy.problem(with: long, personal: personal) == .repeats)
  }

  @Test(arguments: [
    "qwertyuiopasdfgh", "QwertyUiopAsdfgh", "1234567890123456", "987654321098765",
    "abcdefghijklmnop",
    "zyxwvutsrqponmlk", "1qaz2wsx3edc4rfv", "йцукенгшщзхъфыва", "абвгдеёжзийклмно",
    "שדגכעיחלךףזסבהנמ",
    "1q2w3e4r5t6y7u8i9o", "q1w2e3r4t5y6u7i8", "1й2ц3у4к5е6н7г8ш",
    "qwerty 123456 asdfgh", "qwertz12345asdfgh", "אבגדהוזחטיכלמנסע", "!@#$%^&*()!@#$%^",
  ])
  func `sequences of letters, digits or keyboard keys are refused`(password: String) {
    #expect(policy.problem(with: password, personal: personal) == .sequence)
  }

  @Test(arguments: [
    "password83746592", "p@ssw0rd83746592", "iloveyouforever", "letmein letmein2 please",
    "correct horse battery staple", "Welcome-2024-Welcome", "parol123456parol",
    "пароль19850412пароль",
    "люблю тебя мама", "мама мыла раму!", "סיסמה19850412סיסמה", "gfhjkm1985gfhjkm",
    "administrator20", "welcome to the jungle", "itsmylifebonjovi",
    "to be or not to be", "manchesterunited", "elephant giraffe", "Michael Jackson 1",
    "ch0c0l@te cookies", "liverpoolfootballclub", "newyorkyankees99",
  ])
  func `common words, repeated or with digits, are refused`(password: String) {
    #expect(policy.problem(with: password, personal: personal) == .common)
  }

  @Test(arguments: [
    "annapetrova1985", "Anna.Petrova.85", "petrovaannapetrova", "avortepanna1985",
    "petrova85petrova85",
    "polyclinicbrest", "BrestPolyclinic7", "ANNAPETROVA!!!!!",
  ])
  func `a password made of the person's or the portal's names is refused`(password: String) {
    #expect(policy.problem(with: password, personal: personal) == .personal)
  }

  @Test(arguments: ["password", "Sunshine", "l1verpool", "elephant", "P@ssw0rd"])
  func `beside a second factor an English word alone is refused`(password: String) {
    #expect(policy.problem(with: password, personal: [], hasSecondFactor: true) == .common)
  }

  @Test(arguments: ["Kz7-qpLm", "83746592", "тихий чай", "wet otter tea"])
  func `beside a second factor eight unpredictable characters are accepted`(password: String) {
    #expect(policy.problem(with: password, personal: [], hasSecondFactor: true) == nil)
  }

  @Test func `a phrase that contains the person's name is accepted`() {
    #expect(policy.problem(with: "Anna counts purple geese", personal: personal) == nil)
  }

  @Test(arguments: ["\0", "a", "ab", "\u{200F}", "\u{301}"])
  func `a long repetition of one or two characters is refused`(password: String) {
    let long = String(repeating: password, count: 1_000 / password.utf8.count)
    #expect(policy.problem(with: long, personal: []) == .repeats)
  }

  @Test func `a repeated U+FDFA is accepted, because it expands to a phrase`() {
    let long = String(repeating: "\u{FDFA}", count: 333)
    #expect(policy.problem(with: long, personal: []) == nil)
  }

  @Test func `only the first 128 characters of a password are judged`() {
    let phrase = "violet kettle runs uphill twice"
    #expect(policy.problem(with: phrase + repetition(of: 900), personal: []) == nil)
    #expect(policy.problem(with: repetition(of: 100) + phrase, personal: []) == nil)
    #expect(policy.problem(with: repetition(of: 128) + phrase, personal: []) == .repeats)
  }

  private func repetition(of length: Int) -> String { String(repeating: "a", count: length) }

  @Test(arguments: [
    ("short", 0), ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1), ("abcdefghijklmnopqrst", 1),
    ("x7Kq9vTz2mWp4Ls", 2), ("violet kettle runs up", 3), ("violet kettle runs uphill twice", 4),
  ])
  func `the strength level rises with length, except for repeats and sequences`(
    password: String, level: Int
  ) {
    #expect(PasswordPolicy.strength(password) == level)
  }

  @Test func `each problem has its own catalog key`() {
    #expect(PasswordPolicy.Problem.tooShort.text().key == "password.too-short")
    #expect(Set(PasswordPolicy.Problem.allCases.map { $0.text().key }).count == 6)
  }
}
