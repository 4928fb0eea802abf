extension Catalog {
  /// The words that all modules share: forms, errors, file imports, documents, useful contacts, and
  /// the retention of data.
  package static let shared = Catalog(
    en: [
      PackageResources.shared_en_json, PackageResources.import_en_json,
      PackageResources.contacts_en_json, PackageResources.document_en_json,
    ],
    ru: [
      PackageResources.shared_ru_json, PackageResources.import_ru_json,
      PackageResources.contacts_ru_json, PackageResources.document_ru_json,
    ],
    he: [
      PackageResources.shared_he_json, PackageResources.import_he_json,
      PackageResources.contacts_he_json, PackageResources.document_he_json,
    ])
}
