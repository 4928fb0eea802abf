import PolyclinicCore

extension Feature {
  /// Clinics, their departments, doctors and receptionists, as stored.
  static let clinics = Feature(
    words: Catalog(
      en: [PackageResources.specialization_en_json],
      ru: [PackageResources.specialization_ru_json],
      he: [PackageResources.specialization_he_json]),
    schema: Clinic.schema + DoctorProfile.schema + DoctorPhoto.schema,
    routes: [.get(DoctorPhoto.address.pattern, access: .everyone, DoctorPhoto.answer)])
}
