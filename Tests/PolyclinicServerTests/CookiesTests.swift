import Testing

@testable import PolyclinicServer

@Suite struct CookiesTests {
  @Test(arguments: [
    ("language=ru", "ru"), ("other=1; language=ru", "ru"), ("other=1;language=ru;more=2", "ru"),
    ("language=ru; language=he", "ru"), ("language=", ""), ("language=a=b", "a=b"),
  ])
  func `a cookie is found by its name, the first of several`(header: String, value: String) {
    #expect(Cookies.value("language", in: header) == value)
  }

  @Test(arguments: ["", ";", "language", "languages=ru", "my-language=ru", "Language=ru"])
  func `a cookie of another name is not taken for it`(header: String) {
    #expect(Cookies.value("language", in: header) == nil)
  }
}
