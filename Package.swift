// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

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
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
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
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
    .target(
      name: "PolyclinicCore", resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "PolyclinicCharts", dependencies: ["PolyclinicCore"], swiftSettings: strict),
    .target(
      name: "PolyclinicDocuments", dependencies: ["PolyclinicCore"], swiftSettings: strict),
    .target(
      name: "PolyclinicPlaces", dependencies: ["PolyclinicCore"], swiftSettings: strict),
    .target(
      name: "PolyclinicFormats", dependencies: ["PolyclinicCore", "PolyclinicPlaces"],
      swiftSettings: strict),
    .target(
      name: "PolyclinicImports", dependencies: ["PolyclinicCore"], swiftSettings: strict),
    .target(
      name: "PolyclinicStore",
      dependencies: [
        "CSQLite", "PolyclinicCore", "PolyclinicSystem",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .target(name: "PolyclinicSystem", dependencies: ["PolyclinicCore"], swiftSettings: strict),
    .target(
      name: "PolyclinicVault",
      dependencies: [
        "CArgon2", "COpenSSL", "PolyclinicCore", "PolyclinicSystem",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .target(
      name: "PolyclinicServing",
      dependencies: [
        "CFastCGI", "PolyclinicCore", "PolyclinicDocuments", "PolyclinicSystem",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "PolyclinicWeb",
      dependencies: [
        "PolyclinicCore", "PolyclinicPlaces", "PolyclinicServing", "PolyclinicStore",
        "PolyclinicSystem", "PolyclinicVault", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "PolyclinicPortal",
      dependencies: [
        "CArchive", "PolyclinicCore", "PolyclinicDocuments", "PolyclinicPlaces",
        "PolyclinicServing", "PolyclinicSystem", "PolyclinicVault", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "PolyclinicServer",
      dependencies: [
        "PolyclinicCore", "PolyclinicPlaces", "PolyclinicPortal", "PolyclinicServing",
        "PolyclinicStore", "PolyclinicSystem", "PolyclinicVault", "PolyclinicWeb", "Yams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.embedInCode("NewModule/Template"), .embedInCode("WebServer/Templates")],
      swiftSettings: strict),
    .target(
      name: "PolyclinicDemonstration",
      dependencies: [
        "PolyclinicCharts", "PolyclinicCore", "PolyclinicPortal", "PolyclinicServer",
        "PolyclinicStore", "PolyclinicWeb",
      ],
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "PolyclinicTesting",
      dependencies: [
        "PolyclinicCore", "PolyclinicDemonstration", "PolyclinicPlaces", "PolyclinicPortal",
        "PolyclinicServer",
        "PolyclinicServing", "PolyclinicStore", "PolyclinicVault", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "polyclinic",
      dependencies: [
        "PolyclinicDemonstration", "PolyclinicServer", "Appointments", "Contacts", "CovidStats",
        "HealthMetrics", "VaccinationQR",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "polyclinic-decode", dependencies: ["CGD", "CQREncode", "CSeccomp", "CZBar"],
      swiftSettings: strict),
    .target(
      name: "Appointments",
      dependencies: ["CXML", "PolyclinicCore", "PolyclinicFormats", "PolyclinicPlaces"],
      path: "Plugins/Appointments",
      resources: [
        .embedInCode("Strings"), .embedInCode("Demonstration/town-map.json"),
      ], swiftSettings: strict),
    .target(
      name: "Contacts",
      dependencies: ["PolyclinicCore", "PolyclinicFormats", "PolyclinicImports"],
      path: "Plugins/Contacts",
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "CovidStats",
      dependencies: ["PolyclinicCore", "PolyclinicCharts", "PolyclinicPlaces"],
      path: "Plugins/CovidStats",
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "HealthMetrics",
      dependencies: [
        "PolyclinicCore", "PolyclinicCharts", "PolyclinicFormats", "PolyclinicImports",
        "PolyclinicPlaces",
      ],
      path: "Plugins/HealthMetrics",
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .target(
      name: "VaccinationQR",
      dependencies: [
        "COpenSSL", "CZlib", "PolyclinicCore", "PolyclinicDocuments", "PolyclinicPlaces",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      path: "Plugins/VaccinationQR",
      resources: [.embedInCode("Strings")], swiftSettings: strict),
    .executableTarget(
      name: "benchmark-data",
      dependencies: [
        "Appointments", "Contacts", "CovidStats", "PolyclinicCore", "PolyclinicTesting",
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
      name: "PolyclinicStoreTests", dependencies: ["PolyclinicCore", "PolyclinicStore"],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicServerTests",
      dependencies: [
        "CSQLite", "PolyclinicCore", "PolyclinicDemonstration", "PolyclinicImports",
        "PolyclinicPlaces",
        "PolyclinicPortal",
        "PolyclinicServer", "PolyclinicServing", "PolyclinicStore", "PolyclinicSystem",
        "PolyclinicTesting", "PolyclinicVault", "PolyclinicWeb",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PolyclinicTestingTests", dependencies: ["PolyclinicCore", "PolyclinicTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "AppointmentsTests",
      dependencies: ["Appointments", "PolyclinicFormats", "PolyclinicPlaces", "PolyclinicTesting"],
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
      dependencies: ["polyclinic", "PolyclinicCore", "PolyclinicDocuments", "PolyclinicTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "VaccinationQRTests",
      dependencies: [
        "VaccinationQR", "PolyclinicDocuments", "PolyclinicTesting",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: strict),
  ]
)

// `make test` alone: the modules of the articles. They see no more of the core than modules of other
// packages do. An author's module of the same name takes the place of one.
if Context.environment["POLYCLINIC_SAMPLES"] != nil {
  let template = "Sources/PolyclinicServer/NewModule/Template"
  let samples: [Target] = [
    .target(
      name: "Allergies", dependencies: ["PolyclinicCore"], path: "\(template)/Plugins/Allergies",
      resources: [.embedInCode("Strings")], packageAccess: false, swiftSettings: strict),
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
