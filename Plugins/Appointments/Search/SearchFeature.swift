import PolyclinicCore

extension Feature {
  /// Finding clinics and doctors.
  static let search = Feature(
    words: Catalog(
      en: [PackageResources.search_en_json],
      ru: [PackageResources.search_ru_json],
      he: [PackageResources.search_he_json]),
    routes: [
      ClinicSearch.route, ClinicMapPage.route, NearestClinics.route, ClinicPage.route,
      .post(ClinicPage.choice.pattern, save: ClinicPage.choose)
        .leadingBack(to: ClinicPage.address.pattern),
      DoctorList.route, DoctorPage.route, EditDoctorProfile.route, DisplayPage.route,
      .post(DoctorPage.joining.pattern, DoctorPage.join)
        .leadingBack(to: DoctorPage.address.pattern),
    ] + OwnPhotoForm.routes,
    personalData: PersonalData(
      .plain(
        "privacy.chosen-clinic", until: "privacy.until-changed",
        columns: ["appointments_chosen_clinics"]),
      export: Clinic.exportChoice))
}
