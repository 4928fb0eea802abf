import PolyclinicCore

/// The words of the module, by the folder that uses most of them.
extension HealthMetricsModule {
  static var moduleWords: Catalog {
    Catalog(
      en: [PackageResources.module_en_json], ru: [PackageResources.module_ru_json],
      he: [PackageResources.module_he_json])
  }

  static var bloodPressureWords: Catalog {
    Catalog(
      en: [PackageResources.pressure_en_json, PackageResources.guide_en_json],
      ru: [PackageResources.pressure_ru_json, PackageResources.guide_ru_json],
      he: [PackageResources.pressure_he_json, PackageResources.guide_he_json])
  }

  static var weightWords: Catalog {
    Catalog(
      en: [PackageResources.weights_en_json], ru: [PackageResources.weights_ru_json],
      he: [PackageResources.weights_he_json])
  }

  static var fileWords: Catalog {
    Catalog(
      en: [PackageResources.files_en_json], ru: [PackageResources.files_ru_json],
      he: [PackageResources.files_he_json])
  }

  static var homeWeekWords: Catalog {
    Catalog(
      en: [PackageResources.week_en_json], ru: [PackageResources.week_ru_json],
      he: [PackageResources.week_he_json])
  }

  static var chartWords: Catalog {
    Catalog(
      en: [PackageResources.seeing_en_json, PackageResources.report_en_json],
      ru: [PackageResources.seeing_ru_json, PackageResources.report_ru_json],
      he: [PackageResources.seeing_he_json, PackageResources.report_he_json])
  }
}
