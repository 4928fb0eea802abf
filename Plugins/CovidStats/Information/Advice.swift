import PolyclinicCore
import PolyclinicPlaces

/// Medical advice in the portal's own words, with the page that it is based on.
struct Advice {
  let title: Text
  let parts: [Part]
  let source: Source

  /// A paragraph and the list that follows it.
  struct Part {
    var lead: Text?
    let items: [Text]
  }

  /// A page of the World Health Organization.
  struct Source {
    let name: Text
    let page: SourcePage?
  }
}

extension Advice {
  static let emergency = Advice(
    title: "information.emergency",
    parts: [
      Part(
        lead: "information.emergency.who",
        items: [
          "information.emergency.breath", "information.emergency.confusion",
          "information.emergency.drowsiness", "information.emergency.chest",
          "information.emergency.skin", "information.emergency.speech",
        ])
    ], source: .facts)

  static let symptoms = Advice(
    title: "information.symptoms",
    parts: [
      Part(lead: "information.symptoms.when", items: []),
      Part(
        lead: "information.symptoms.common",
        items: [
          "information.symptoms.fever", "information.symptoms.chills",
          "information.symptoms.throat",
        ]),
      Part(
        lead: "information.symptoms.others",
        items: [
          "information.symptoms.cough", "information.symptoms.head",
          "information.symptoms.muscles", "information.symptoms.tiredness",
          "information.symptoms.chest", "information.symptoms.stomach",
          "information.symptoms.smell",
        ]),
    ], source: .facts)

  static let doctor = Advice(
    title: "information.doctor",
    parts: [
      Part(
        lead: "information.doctor.early",
        items: [
          "information.doctor.illness", "information.doctor.conditions",
          "information.doctor.medicine",
        ]),
      Part(lead: "information.doctor.risk", items: []),
    ], source: .facts)

  static let spread = Advice(
    title: "information.spread",
    parts: [
      Part(
        items: [
          "information.spread.home", "information.spread.distance", "information.spread.mask",
          "information.spread.air", "information.spread.cough", "information.spread.hands",
          "information.spread.vaccine",
        ])
    ], source: .advice)
}

extension Advice.Source {
  /// The WHO fact sheet, with figures of June 2023. The WHO has rewritten it several times.
  static let facts = Advice.Source(
    name: "information.source.facts",
    page: SourcePage(
      "https://www.who.int/news-room/fact-sheets/detail/coronavirus-disease-(covid-19)",
      read: "2026-11-23"))

  /// The WHO advice for the public, last changed on 18 March 2023.
  static let advice = Advice.Source(
    name: "information.source.advice",
    page: SourcePage(
      "https://www.who.int/emergencies/diseases/novel-coronavirus-2019/advice-for-public",
      read: "2026-11-23"))
}
