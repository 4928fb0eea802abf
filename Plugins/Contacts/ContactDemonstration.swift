import PolyclinicCore
import PolyclinicImports

extension ContactsModule {
  /// Address books for some patients of the fictional town, with birthdays throughout the year.
  public var demonstration: Demonstration? {
    Demonstration { town, _, work in
      for patient in town.patients.prefix(40) {
        let work = work.with(patient.keys)
        let known = try ContactImport.read(patient.language.townContacts, in: work) { $0.key }
          .compactMap { row in
            if case .new(let item) = row.outcome { item.contact } else { nil }
          }.shuffled(using: &town.dice)
        for contact in known.prefix(.random(in: 5...known.count, using: &town.dice)) {
          try contact.card.store(for: Contact.records.insert(contact, in: work), in: work)
        }
      }
    }
  }
}

extension Language {
  /// The vCard file of the people and places that a townsperson may know.
  fileprivate var townContacts: [UInt8] {
    switch self {
    case .english: PackageResources.town_contacts_en_vcf
    case .russian: PackageResources.town_contacts_ru_vcf
    case .hebrew: PackageResources.town_contacts_he_vcf
    }
  }
}
