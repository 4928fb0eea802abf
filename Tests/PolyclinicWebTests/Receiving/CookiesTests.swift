import PolyclinicCore
import Testing

@testable import PolyclinicWeb

@Suite struct CookiesTests {
  @Test(arguments: [
    ("language=ru", "ru"), ("other=1; language=ru", "ru"), ("other=1;language=ru;more=2", "ru"),
    ("language=ru; language=he", "ru"), ("language=", ""), ("language=a=b", "a=b"),
  ])
  func `the first cookie with the name is found`(header: String, value: String) {
    #expect(Client(cookies: header).cookie("language") == value)
  }

  @Test(arguments: ["", ";", "language", "languages=ru", "my-language=ru", "Language=ru"])
  func `a cookie with a different name is not found`(header: String) {
    #expect(Client(cookies: header).cookie("language") == nil)
  }
}
