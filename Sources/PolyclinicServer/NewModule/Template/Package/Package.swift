// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "allergies",
  dependencies: [.package(path: "../polyclinic")],
  targets: [
    .executableTarget(
      name: "portal",
      dependencies: [
        "Allergies", .product(name: "PolyclinicServer", package: "polyclinic"),
      ]),
    .target(
      name: "Allergies",
      dependencies: [.product(name: "PolyclinicCore", package: "polyclinic")],
      resources: [.embedInCode("Assets"), .embedInCode("Strings")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "AllergiesTests",
      dependencies: [
        "Allergies", .product(name: "PolyclinicTesting", package: "polyclinic"),
      ]),
  ]
)
