// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
/// Optimized in a debug build, too: what every request of every test runs, and what reads large
/// files.
let optimized: [SwiftSetting] = strict + [.unsafeFlags(["-O"])]

/// The version of the program, the only place that has it.
let version = "1.0.0-beta.1"

/// Returns a string literal of C. Only characters of versions, commits and dates are kept.
func quoted(_ text: String?) -> String {
  "\"\((text ?? "").filter { $0.isLetter || $0.isNumber || "-.+".contains($0) })\""
}

let package = Package(
  name: "polyclinic",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "polyclinic", targets: ["polyclinic"]),
    .executable(name: "polyclinic-decode", targets: ["polyclinic-decode"]),
    .library(name: "PolyclinicCore", targets: ["PolyclinicCore"]),
    .library(name: "PolyclinicCharts", targets: ["PolyclinicCharts"]),
    .library(name: "PolyclinicDocuments", targets: ["PolyclinicDocuments"]),
    .library(name: "PolyclinicFormats", targets: ["PolyclinicFormats"]),
    .library(name: "PolyclinicImports", targets: ["PolyclinicImports"]),
    .library(name: "PolyclinicPlaces", targets: ["PolyclinicPlaces"]),
    .library(name: "PolyclinicStore", targets: ["PolyclinicStore"]),
    .library(name: "PolyclinicServer", targets: ["PolyclinicServer"]),
    .library(name: "PolyclinicTesting", targets: ["PolyclinicTesting"]),
    .library(name: "Appointments", targets: ["Appointments"]),
    .library(name: "Contacts", targets: ["Contacts"]),
    .library(name: "CovidStats", targets: ["CovidStats"]),
    .library(name: "HealthMetrics", targets: ["HealthMetrics"]),
    .library(name: "VaccinationQR", targets: ["VaccinationQR"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
    .systemLibrary(name: "CFastCGI", pkgConfig: "fcgi", providers: [.apt(["libfcgi-dev"])]),
    // Without pkg-config, whose flags for gd the package manager refuses.
    .systemLibrary(name: "CGD", providers: [.apt(["libgd-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
    .target(
      name: "CVersion",
      cSettings: [
        .define("POLYCLINIC_VERSION", to: quoted(version)),
        // Set by .ci/build. Without them, as in a tarball, the program names its version alone.
        .define("POLYCLINIC_COMMIT", to: quoted(Context.environment["POLYCLINIC_COMMIT"])),
        .define(
          "POLYCLINIC_COMMIT_DATE", to: quoted(Context.environment["POLYCLINIC_COMMIT_DATE"])),
      ]),
    .target(
      name: "PolyclinicCore", resources: [.embedInCode("Strings")], swiftSettings: optimized),
    .target(
      name: "PolyclinicCharts", dependencies: ["PolyclinicCore"], swiftSettings: optimized),
    .target(
      name: "PolyclinicDocuments", dependencies: ["PolyclinicCore"], swiftSettings: optimized),
    .target(
      name: "PolyclinicPlaces", dependencies: ["PolyclinicCore"], swiftSettings: optimized),
    .target(
      name: "PolyclinicFormats", dependencies: ["PolyclinicCore", "PolyclinicPlaces"],
      swiftSettings: optimized),
    .target(
      name: "PolyclinicImports", dependencies: ["PolyclinicCore"], swiftSettings: optimized),
    .target(
      name: "PolyclinicStore",
      dependencies: [
        "CPostgreSQL", "CSQLite", "PolyclinicCore", "PolyclinicCryptography", "PolyclinicSystem",
      ],
      swiftSettings: optimized),
    .target(
      name: "PolyclinicSystem", dependencies: ["CVersion", "PolyclinicCore"],
      swiftSettings: optimized),
    .target(
      name: "PolyclinicCryptography",
      dependencies: ["COpenSSL", "PolyclinicCore", "PolyclinicSystem"], swiftSettings: optimized),
    .target(
      name: "PolyclinicVault",
      dependencies: [
        "CArgon2", "CZxcvbn", "PolyclinicCore", "PolyclinicCryptography", "PolyclinicSystem",
      ],
      swiftSettings: optimized),
    .target(
      name: "PolyclinicServing",
      dependencies: [
        "CFastCGI", "PolyclinicCore", "PolyclinicCryptography", "PolyclinicDocuments",
        "PolyclinicSystem",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "PolyclinicWeb",
      dependencies: [
        "PolyclinicCore", "PolyclinicCryptography", "PolyclinicFormats", "PolyclinicPlaces",
        "PolyclinicServing", "PolyclinicStore", "PolyclinicSystem", "PolyclinicVault",
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Strings")], swiftSettings: optimized),
    .target(
      name: "PolyclinicPortal",
      dependencies: [
        "CArchive", "PolyclinicCore", "PolyclinicDocuments", "PolyclinicFormats",
        "PolyclinicPlaces", "PolyclinicServing", "PolyclinicSystem", "PolyclinicVault",
        "PolyclinicWeb", .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "PolyclinicServer",
      dependencies: [
        "PolyclinicCore", "PolyclinicCryptography", "PolyclinicPlaces", "PolyclinicPortal",
        "PolyclinicServing", "PolyclinicStore", "PolyclinicSystem", "PolyclinicVault",
        "PolyclinicWeb", "Yams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("NewModule/Template"), .embedInCode("WebServer/Templates")],
      swiftSettings: strict),
    .target(
      name: "PolyclinicDemonstration",
      dependencies: [
        "PolyclinicCharts", "PolyclinicCore", "PolyclinicFormats", "PolyclinicPlaces",
        "PolyclinicPortal", "PolyclinicServer", "PolyclinicStore", "PolyclinicWeb",
      ],
      resources: [
        .embedInCode("Assets"), .embedInCode("Strings"), .embedInCode("Town/town-names.csv"),
      ],
      swiftSettings: strict),
    // Apart from the portal for tests, so that the store's tests need not wait for the server.
    .target(
      name: "PolyclinicTestDatabases", dependencies: ["PolyclinicStore", "PolyclinicSystem"],
      swiftSettings: strict),
    .target(
      name: "PolyclinicTesting",
      dependencies: [
        "PolyclinicCore", "PolyclinicDemonstration", "PolyclinicPlaces", "PolyclinicPortal",
        "PolyclinicServer", "PolyclinicServing", "PolyclinicStore", "PolyclinicTestDatabases",
        "PolyclinicVault", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: optimized),
    .executableTarget(
      name: "polyclinic",
      dependencies: [
        "PolyclinicDemonstration", "PolyclinicServer", "Appointments", "Contacts", "CovidStats",
        "HealthMetrics", "VaccinationQR",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "polyclinic-decode", dependencies: ["CGD", "CQREncode", "CSeccomp", "CZBar"],
      // Optimized in a debug build, too: a picture must be decoded within the limit of processor
      // time.
      swiftSettings: optimized),
    .target(
      name: "Appointments",
      dependencies: [
        "PolyclinicCore", "PolyclinicDocuments", "PolyclinicFormats", "PolyclinicPlaces",
      ],
      path: "Plugins/Appointments",
      resources: [
        .embedInCode("Assets"), .embedInCode("Strings"),
        .embedInCode("Administration/Strings"), .embedInCode("Booking/Strings"),
        .embedInCode("Calendar/Strings"), .embedInCode("Clinics/Strings"),
        .embedInCode("Desk/Strings"), .embedInCode("Map/Strings"), .embedInCode("Queue/Strings"),
        .embedInCode("Search/Strings"), .embedInCode("WaitingList/Strings"),
        .embedInCode("Demonstration/town-clinics.csv"),
        .embedInCode("Demonstration/town-map.json"),
        .embedInCode("Demonstration/town-names.csv"),
      ], swiftSettings: strict),
    .target(
      name: "Contacts",
      dependencies: ["PolyclinicCore", "PolyclinicFormats", "PolyclinicImports"],
      path: "Plugins/Contacts",
      resources: [
        .embedInCode("Assets"), .embedInCode("Strings"), .embedInCode("Demonstration"),
      ], swiftSettings: strict),
    .target(
      name: "CovidStats",
      dependencies: ["PolyclinicCore", "PolyclinicCharts", "PolyclinicPlaces"],
      path: "Plugins/CovidStats",
      resources: [.embedInCode("Assets"), .embedInCode("Strings")], swiftSettings: optimized),
    .target(
      name: "HealthMetrics",
      dependencies: [
        "PolyclinicCore", "PolyclinicCharts", "PolyclinicFormats", "PolyclinicImports",
        "PolyclinicPlaces",
      ],
      path: "Plugins/HealthMetrics",
      resources: [
        .embedInCode("Assets"), .embedInCode("Strings"), .embedInCode("Demonstration"),
      ], swiftSettings: optimized),
    .target(
      name: "VaccinationQR",
      dependencies: [
        "COpenSSL", "CZlib", "PolyclinicCore", "PolyclinicCryptography", "PolyclinicDocuments",
        "PolyclinicFormats", "PolyclinicPlaces",
      ],
      path: "Plugins/VaccinationQR",
      resources: [.embedInCode("Assets"), .embedInCode("Strings")], swiftSettings: strict),
    .executableTarget(
      name: "benchmark-data",
      dependencies: [
        "Appointments", "Contacts", "CovidStats", "PolyclinicCore", "PolyclinicPlaces",
        "PolyclinicStore", "PolyclinicTesting",
      ],
      path: "Tests/Benchmarks/BenchmarkData", swiftSettings: strict),
    .executableTarget(
      name: "faulty-portal", dependencies: ["Contacts", "PolyclinicCore", "PolyclinicServer"],
      path: "Tests/EndToEnd/FaultyPortal", swiftSettings: strict),
    .testTarget(
      name: "PolyclinicCoreTests", dependencies: ["PolyclinicCore"], swiftSettings: strict),
    .testTarget(
      name: "PolyclinicChartsTests", dependencies: ["PolyclinicCharts", "PolyclinicCore"],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicFormatsTests",
      dependencies: ["PolyclinicCore", "PolyclinicFormats", "PolyclinicPlaces"],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicPlacesTests", dependencies: ["PolyclinicCore", "PolyclinicPlaces"],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicCryptographyTests",
      dependencies: ["PolyclinicCore", "PolyclinicCryptography", "PolyclinicSystem"],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicStoreTests",
      dependencies: [
        "CPostgreSQL", "PolyclinicCore", "PolyclinicStore", "PolyclinicSystem",
        "PolyclinicTestDatabases",
      ],
      swiftSettings: strict),
    // Shared by several test targets.
    .target(
      name: "PolyclinicTestSupport",
      dependencies: [
        "COpenSSL", "PolyclinicCore", "PolyclinicCryptography", "PolyclinicFormats",
        "PolyclinicPortal", "PolyclinicServer", "PolyclinicServing", "PolyclinicStore",
        "PolyclinicSystem", "PolyclinicTesting", "PolyclinicVault", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Support", swiftSettings: strict),
    .testTarget(
      name: "PolyclinicServingTests",
      dependencies: [
        "PolyclinicCore", "PolyclinicPortal", "PolyclinicServer", "PolyclinicServing",
        "PolyclinicSystem", "PolyclinicTestSupport", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicVaultTests",
      dependencies: [
        "PolyclinicCore", "PolyclinicSystem", "PolyclinicTestSupport", "PolyclinicVault",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicWebTests",
      dependencies: [
        "PolyclinicCore", "PolyclinicDemonstration", "PolyclinicImports", "PolyclinicPortal",
        "PolyclinicServer", "PolyclinicServing", "PolyclinicStore", "PolyclinicSystem",
        "PolyclinicTestSupport", "PolyclinicTesting", "PolyclinicVault", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicPortalTests",
      dependencies: [
        "PolyclinicCore", "PolyclinicPlaces", "PolyclinicPortal", "PolyclinicServer",
        "PolyclinicServing", "PolyclinicSystem", "PolyclinicTestSupport", "PolyclinicTesting",
        "PolyclinicVault", "PolyclinicWeb",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicServerTests",
      dependencies: [
        "PolyclinicCore", "PolyclinicDemonstration", "PolyclinicPlaces", "PolyclinicPortal",
        "PolyclinicServer", "PolyclinicServing", "PolyclinicStore", "PolyclinicSystem",
        "PolyclinicTestDatabases", "PolyclinicTestSupport", "PolyclinicTesting",
        "PolyclinicVault", "PolyclinicWeb",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicTestingTests", dependencies: ["PolyclinicCore", "PolyclinicTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "AppointmentsTests",
      dependencies: [
        "Appointments", "PolyclinicDocuments", "PolyclinicFormats", "PolyclinicPlaces",
        "PolyclinicTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ContactsTests", dependencies: ["Contacts", "PolyclinicFormats", "PolyclinicTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "CovidStatsTests",
      dependencies: ["CovidStats", "PolyclinicPlaces", "PolyclinicTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "HealthMetricsTests",
      dependencies: [
        "HealthMetrics", "PolyclinicCharts", "PolyclinicFormats", "PolyclinicTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PortalTests",
      dependencies: [
        "polyclinic", "Appointments", "PolyclinicCore", "PolyclinicDocuments", "PolyclinicStore",
        "PolyclinicTestSupport", "PolyclinicTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "VaccinationQRTests",
      dependencies: [
        "COpenSSL", "VaccinationQR", "PolyclinicCryptography", "PolyclinicDocuments",
        "PolyclinicFormats", "PolyclinicTestSupport", "PolyclinicTesting",
      ],
      swiftSettings: strict),
  ]
)

// `make test` alone: the modules of the articles. They see no more of the core than modules of
// other packages do. An author's module of the same name takes the place of one.
if Context.environment["POLYCLINIC_SAMPLES"] != nil {
  let template = "Sources/PolyclinicServer/NewModule/Template"
  let samples: [Target] = [
    .target(
      name: "Allergies", dependencies: ["PolyclinicCore"], path: "\(template)/Plugins/Allergies",
      resources: [.embedInCode("Assets"), .embedInCode("Strings")], packageAccess: false,
      swiftSettings: strict),
    .testTarget(
      name: "AllergiesTests", dependencies: ["Allergies", "PolyclinicTesting"],
      path: "\(template)/Tests/AllergiesTests", packageAccess: false, swiftSettings: strict),
    .target(
      name: "Medications",
      dependencies: ["PolyclinicCore", "PolyclinicCharts", "PolyclinicFormats"],
      path: "Tests/Samples/Medications",
      resources: [.embedInCode("Strings")], packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "MedicationsTests",
      dependencies: ["Medications", "PolyclinicCore", "PolyclinicTesting"],
      path: "Tests/Samples/MedicationsTests", packageAccess: false, swiftSettings: strict),
  ]
  let names = Set(package.targets.map(\.name))
  package.targets += samples.filter { !names.contains($0.name) }
}

// `make fuzz` alone: the program has libFuzzer's own entrance, and is built with its instruments.
if Context.environment["POLYCLINIC_FUZZ"] != nil {
  package.products.append(.executable(name: "fuzz", targets: ["fuzz"]))
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Appointments", "CFuzzer", "Contacts", "PolyclinicCore", "PolyclinicFormats",
        "PolyclinicTesting",
        "PolyclinicWeb",
        "VaccinationQR",
      ],
      path: "Tests/Fuzzing/Parsers", swiftSettings: strict,
      // gold, the usual linker, does not know what the sanitizers' code says of itself.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ]
}
