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
}
