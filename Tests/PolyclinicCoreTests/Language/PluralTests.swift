import PolyclinicCore
import Testing

@Suite struct PluralTests {
  @Test(arguments: [
    (0, Plural.other), (1, .one), (2, .other), (5, .other), (11, .other), (21, .other),
    (100, .other),
    (101, .other), (-1, .one),
  ])
  func `English has one form for one and another for the rest`(count: Int, plural: Plural) {
    #expect(Plural(count, in: .english) == plural)
  }

  @Test(arguments: [
    (0, Plural.many), (1, .one), (2, .few), (4, .few), (5, .many), (10, .many), (11, .many),
    (12, .many), (14, .many), (20, .many), (21, .one), (22, .few), (25, .many), (100, .many),
    (101, .one), (102, .few), (111, .many), (112, .many), (121, .one), (1_000_003, .few),
    (-1, .one), (-22, .few), (-111, .many), (.min, .many),
  ])
  func `the Russian form depends on the last two digits`(count: Int, plural: Plural) {
    #expect(Plural(count, in: .russian) == plural)
  }

  @Test(arguments: [
    (0, Plural.other), (1, .one), (2, .two), (3, .other), (10, .other), (11, .other), (12, .other),
    (20, .other), (22, .other), (100, .other), (102, .other), (-2, .two),
  ])
  func `Hebrew has a dual form for exactly two`(count: Int, plural: Plural) {
    #expect(Plural(count, in: .hebrew) == plural)
  }

  @Test func `each number selects a form that its language lists`() {
    for language in Language.allCases {
      for count in 0...1_000 {
        #expect(Plural.categories(of: language).contains(Plural(count, in: language)))
      }
    }
  }
}
