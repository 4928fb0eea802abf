import PolyclinicCore

extension Feature {
  /// Finding clinics and doctors.
  static let search = Feature(
    words: Catalog(
      en: [PackageResources.search_en_json],
      ru: [PackageResources.search_ru_json],
      he: [PackageResources.search_he_json]),
    routes: [
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
      .get("doctors", access: .everyone, DoctorList.show),
      .get("doctors/{id}", access: .everyone, PublicDoctorPages.show),
      .form(
        "doctors/{id}/edit", DoctorProfile.form, title: "doctor.profile.edit",
        cancel: "doctors/{id}", access: .role(.doctor), load: ProfilePages.load,
        save: ProfilePages.save),
      .get("doctors/{id}/display", access: .everyone, PublicDoctorPages.showDisplay),
      .post("doctors/{id}/queue", WaitingListPages.join).leadingBack(to: "doctors/{id}"),
      .confirm(
        "doctors/{id}/queue/leave", title: "line.leave.title", subject: OwnPlace.waitingInPath,
        question: WaitingListPages.leaveQuestion, yes: "line.leave.yes", cancel: "doctors/{id}",
        save: WaitingListPages.leave
      ).saying("line.left.done").leadingBack(to: "doctors/{id}"),
      .confirm(
        "doctors/{id}/queue/decline", title: "decline.title", subject: OwnPlace.calledInPath,
        question: WaitingListPages.declineQuestion, yes: "decline.yes", cancel: "doctors/{id}",
        save: WaitingListPages.decline
      ).leadingBack(to: "doctors/{id}"),
    ],
    personalData: PersonalData(
      .plain(
        "privacy.chosen-clinic", until: "privacy.until-changed",
        columns: ["appointments_chosen_clinics"]),
      export: ChosenClinic.export))
}
