import PolyclinicCore
import PolyclinicPlaces
import Yams

/// The section `useful_contacts`: for each country, the contacts that replace the shipped ones.
extension ConfigurationReader {
  func usefulContacts() -> [String: [Configuration.UsefulContact]] {
    var contacts: [String: [Configuration.UsefulContact]] = [:]
    let path = "useful_contacts"
    for (key, value) in ConfigurationSection.pairs(root[path], path: path, problems: problems) {
      let country = key.scalar?.string ?? ""
      let here = ConfigurationSection.join(path, country)
      guard Self.countries.contains(country) else {
        problems.add(here, at: key.mark, Self.unknownCountry(country))
        continue
      }
      guard let items = value.sequence, !items.isEmpty else {
        problems.add(here, at: value.mark, "must be a list of one or more contacts")
        continue
      }
      contacts[country] = items.map { usefulContact($0, path: here) }
    }
    return contacts
  }

  private static let countries = Set(Countries.all + [UsefulContacts.europeanUnion])

  private static func unknownCountry(_ written: String) -> String {
    let expected =
      "must be a country's two capital letters (ISO 3166-1), such as RU, or EU for the European Union"
    let code = written.uppercased()
    // People write UK for GB. ISO 3166-1 reserves UK for that reason.
    let meant = code == "UK" ? "GB" : code
    return countries.contains(meant) ? "\(expected). Did you mean \"\(meant)\"?" : expected
  }

  private func usefulContact(_ node: Node, path: String) -> Configuration.UsefulContact {
    let section = ConfigurationSection(
      node, path: path, known: ["name", "phone", "url", "emergency"], problems: problems)
    let contact = Configuration.UsefulContact(
      names: names(section), phone: phone(section), url: url(section),
      isEmergency: section.boolean("emergency") ?? false)
    if !section.has("phone"), contact.isEmergency {
      section.refuse("phone", "is missing; an emergency contact has a phone")
    } else if !section.has("phone"), !section.has("url") {
      section.refuse("phone", "is missing; give a phone or a url")
    }
    return contact
  }

  private func names(_ section: ConfigurationSection) -> [Language: String] {
    guard let node = section["name"], node.mapping?.isEmpty != true else {
      section.refuse("name", "is missing; give a text, or a text for each language")
      return [:]
    }
    return texts(section, "name", limit: 200)
  }

  /// Returns a text by language; empty if the key is missing. The file has one text for all
  /// languages, or one for each.
  func texts(_ section: ConfigurationSection, _ key: String, limit: Int) -> [Language: String] {
    guard section[key]?.mapping != nil else {
      guard let text = section.text(key, limit: limit), !text.isEmpty else { return [:] }
      return Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, text) })
    }
    let byLanguage = section.section(key, known: Language.allCases.map(\.code))
    var texts: [Language: String] = [:]
    for language in Language.allCases {
      texts[language] = byLanguage.text(language.code, limit: limit)
    }
    return texts
  }

  private func phone(_ section: ConfigurationSection) -> String? {
    guard let phone = section.text("phone", limit: 50) else { return nil }
    if OutsideLink.telephone(phone) == nil {
      section.refuse("phone", "must be a telephone number, such as \"+44 20 7946 0000\"")
    }
    return phone
  }

  private func url(_ section: ConfigurationSection) -> OutsideLink? {
    guard case .text(let address) = section.value("url", .url) else { return nil }
    let link = OutsideLink.web(address)
    if link == nil { section.refuse("url", "must be \(Setting.Kind.url.expectation)") }
    return link
  }
}
