import PolyclinicCore

/// The addresses of the clinics' public pages, and of the choice of one's own clinic.
enum ClinicRoutes {
  static var all: [Route] {
    [
      .get("clinics", access: .everyone, ClinicSearch.show),
      .get("clinics/map", access: .everyone, ClinicMapPage.show),
      .lookup(
        "clinics/nearest", LocationQuery.form, title: "nearest.title", back: "clinics",
        access: .everyone, submit: "nearest.submit",
        assets: Page.Asset.map + [.position],
        aid: NearestClinics.aid, start: HomeTown.filledForm, instead: NearestClinics.suggestions,
        answer: NearestClinics.answer),
      .get("clinics/{id}", access: .everyone, ClinicPage.show),
      .post("clinics/{id}/choose", save: ChosenClinic.choose).leadingBack(to: "clinics/{id}"),
    ]
  }
}
