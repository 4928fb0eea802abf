import PolyclinicCore

/// A medical specialization. Its title is the text `specialization.` followed by the raw value.
enum Specialization: String, CaseIterable, Sendable {
  case generalPractice = "general-practice"
  case pediatrics, cardiology, dermatology, endocrinology, gastroenterology, gynecology, neurology
  case oncology, ophthalmology, orthopedics
  case otolaryngology, pulmonology, psychiatry, psychology, rheumatology, surgery, traumatology
  case urology, dentistry, nephrology, allergology
  case infectiousDiseases = "infectious-diseases"
  case physiotherapy, radiology, vaccination

  var title: Text { Text("specialization.\(rawValue)") }

  /// The everyday words for its doctors, such as “children’s doctors”. A search finds the
  /// beginnings of words, so each word has its longest form.
  private var everydayWords: Text { Text("specialization.words.\(rawValue)") }

  /// Returns the title and the everyday words in all languages, because people search in a language
  /// of their own. `string` translates a text.
  func searchText(_ string: (Text, Language) -> String) -> SearchText {
    let parts = Language.allCases.flatMap { language in
      [title, everydayWords].map { string($0, language) }
    }
    return SearchText(parts.joined(separator: " "))
  }
}
