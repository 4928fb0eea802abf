import PolyclinicCore
import PolyclinicPlaces

extension PostalAddress {
  /// Returns the address on one line, in the order of its country, such as “Lenina, 5, Minsk,
  /// Belarus”. Each part is isolated, because the street can be in another script than the town.
  fileprivate func line(in language: Language) -> HTML {
    let parts: [HTML] = lines(in: language).map { "<bdi>\($0)</bdi>" }
    return "\(each: parts.enumerated(), { "\($0.offset == 0 ? "" : ", ")\($0.element)" })"
  }

  /// Returns the address with the town's name in the reader's script if the gazetteer has it.
  fileprivate func localized(_ context: Context) -> PostalAddress {
    if context.language.writes(city[...]) || city.isEmpty { return self }
    guard let place = try? context.portal.gazetteer.place(city, in: country) else { return self }
    var address = self
    address.city = place.name(in: context.language)
    return address
  }
}

extension Clinic {
  /// Returns the address with the street's name for readers of a language.
  func address(in language: Language) -> PostalAddress {
    var address = address
    let street = streetNames[language]
    if !street.isEmpty { address.street = street }
    return address
  }

  /// Returns the address with the names of the street and the town for the reader.
  func localizedAddress(_ context: Context) -> PostalAddress {
    address(in: context.language).localized(context)
  }

  /// Returns the address on one line in the reader's language.
  func addressLine(_ context: Context) -> HTML {
    localizedAddress(context).line(in: context.language)
  }

  /// Returns “First Clinic, Minsk”.
  func nameAndTown(_ context: Context) -> String {
    let parts = [name.string(in: context.language), localizedAddress(context).city]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The names of the town in all languages, as the clinic wrote it and as the gazetteer knows it.
  func townNames(_ gazetteer: Gazetteer) -> [String] {
    let place = gazetteer.place(address.city, in: address.country)
    return [address.city] + Language.allCases.compactMap { place?.name(in: $0) }
  }
}
