import PolyclinicCore
import PolyclinicDocuments

/// The module for vaccination certificates: the pictures with their codes ready to show, and the
/// decoded content.
public struct VaccinationQRModule: Module {
  public let id: ModuleID = "vaccination-qr"

  public init() {}

  public var title: Text { "list.title" }

  public var kind: Icon.Kind? { Icon.Kind("vaccination", .syringe) }

  public var assets: [Page.Asset] {
    [
      Page.Asset("vaccination-qr.css", PackageResources.vaccination_qr_css, for: .everyPage),
      .certificates, .paste,
    ]
  }

  public var catalog: Catalog {
    Catalog(
      en: [
        PackageResources.certificates_en_json, PackageResources.record_en_json,
        PackageResources.codes_en_json,
      ],
      ru: [
        PackageResources.certificates_ru_json, PackageResources.record_ru_json,
        PackageResources.codes_ru_json,
      ],
      he: [
        PackageResources.certificates_he_json, PackageResources.record_he_json,
        PackageResources.codes_he_json,
      ])
  }

  public var migrations: [Migration] {
    [
      Migration(
        "0001-vaccinations",
        Certificate.schema + TrustedKey.schema + RevocationList.schema + Vaccination.schema)
    ]
  }

  public var routes: [Route] {
    [
      CertificateList.route, AddCertificate.route,
      .post(CertificateList.first.pattern, save: CertificateList.moveFirst),
      CertificateCards.route, CertificatePage.route, CertificateScreen.route,
      EditCertificate.route,
      .delete(
        CertificatePage.deletion.pattern, Certificate.records,
        cancel: CertificatePage.address.pattern),
      VaccinationList.route, NewVaccination.route, VaccinationPage.route,
      .post(VaccinationPage.next.pattern, save: NextDoseProposal.take).saying("form.saved"),
      .post(VaccinationPage.dismissal.pattern, save: NextDoseProposal.dismiss).saying("form.saved"),
      .edit(
        VaccinationPage.edit.pattern, Vaccination.records, title: "record.edit",
        list: VaccinationPage.address.pattern),
      .delete(
        VaccinationPage.deletion.pattern, Vaccination.records,
        cancel: VaccinationPage.address.pattern, list: VaccinationList.path),
    ] + CertificateFile.routes
  }

  public var resources: [Resource] {
    [
      SentCertificate.resource,
      Resource(
        Vaccination.records, at: "record", called: "Vaccination",
        about: .init("Vaccinations that somebody has had, against any disease."),
        check: Vaccination.check),
    ]
  }

  public var readOnlyResources: [Resource.ReadOnly] { [SentCertificate.picture] }

  public var links: [Link] {
    [Link("list.title", to: CertificateList.path, icon: .qr, about: "list.about")]
  }

  public var cards: [Card] {
    [
      Card(
        "list.title", icon: .qr, rank: .documents, page: CertificateList.path,
        reads: [Certificate.index.head], CertificateScreen.card),
      Card(
        "record.title", rank: .prevention, page: VaccinationList.path,
        reads: [Vaccination.index.head], VaccinationList.card),
    ]
  }

  public var offlineCards: [Card] { [Card("list.title", CertificateCards.offline)] }

  public var settings: [Setting] {
    [Setting("max_bytes", .integer(100_000...DocumentDecoder.limit), default: 5_242_880)]
  }

  public var commands: [Command] { [TrustFile.command] }

  public var checks: [HealthCheck] {
    [HealthCheck("pictures") { _ in DocumentDecoder.problem }]
  }

  public var jobs: [Job] { [Job("due", Vaccination.tellDue)] }

  public var noticeKinds: [Notice.Kind] { [.due] }

  public var records: [RecordKind] {
    [
      // Ignores the order, because it does not make a certificate a different one.
      Certificate.records.kind(
        "certificates", at: CertificatePage.address.pattern, ignoring: ["place"],
        parts: [Certificate.files.part]),
      Vaccination.records.kind("vaccinations", at: VaccinationPage.address.pattern),
    ]
  }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.certificates", until: "privacy.until-deleted"),
      impersonal: [
        "vaccination_qr_files": "numbers of certificates, and which part of one it is",
        "vaccination_qr_keys": "public keys of issuers",
        "vaccination_qr_revocations": "public lists of revoked cards",
      ],
      export: Certificate.export, attachments: Certificate.attachments,
      fhir: Certificate.fhir)
      + PersonalData(
        .sealed("privacy.vaccinations", until: "privacy.until-deleted"),
        .plain(
          "privacy.reminders", until: "privacy.until-deleted",
          columns: ["vaccination_qr_reminders.day"]),
        impersonal: ["vaccination_qr_reminders.id_vaccination": "a number"],
        export: Vaccination.records.export, fhir: Vaccination.fhir)
  }
}
