import Foundation
import PolyclinicCore
import PolyclinicSystem
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServer
@testable import PolyclinicWeb

/// `polyclinic module new`.
@Suite struct NewModuleTests {
  private static let template = "Sources/PolyclinicServer/NewModule/Template"
  private let scratch: String

  init() throws {
    scratch = NSTemporaryDirectory() + "new-module-\(UUID().uuidString)"
    for path in [
      "Package.swift", "Sources/polyclinic/Modules.swift", "www/styles/style.css",
      "Tests/PortalTests/FilledPortal.swift",
    ] {
      let copy = FilePath.join(scratch, "portal/" + path)
      try FileManager.default.createDirectory(
        atPath: FilePath.directory(of: copy), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Checkout.file(path), toPath: copy)
    }
  }

  private var checkout: SourceCheckout { SourceCheckout(root: scratch + "/portal") }

  private func text(_ path: String) throws -> String {
    try TextFile.read(FilePath.join(scratch, path))
  }

  private func misuse(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch { return "\(error)" }
  }

  @Test func `the new module is the module that the Quick Start shows`() throws {
    let files = NewModule(names: try ModuleNames(id: "allergies")).sources
    #expect(files.count == 7)
    for file in files {
      #expect(try TextFile.read(Checkout.file("\(Self.template)/\(file.path)")) == file.text)
    }
  }

  @Test func `the names of a module are derived from its id`() throws {
    let names = try ModuleNames(id: "food-allergies")
    #expect(
      [names.target, names.record, names.title] == [
        "FoodAllergies", "FoodAllergy", "Food allergies",
      ])
    #expect(try ModuleNames(id: "boxes").record == "Box")
    #expect(try ModuleNames(id: "diary").record == "DiaryEntry")
    #expect(try ModuleNames(id: "links").record == "LinkEntry")
    #expect(try ModuleNames(id: "visits", record: "Stay").record == "Stay")
    let form = "allergies_records id_allergy Allergies Allergy /allergies/ allergies.en.json"
    #expect(
      names.filled(form)
        == "food_allergies_records id_food_allergy FoodAllergies FoodAllergy /food-allergies/ "
        + "food-allergies.en.json")
  }

  @Test(arguments: ["", "Allergies", "a_b", "-a", "a--b", "1st", String(repeating: "a", count: 99)])
  func `an invalid id is refused`(id: String) {
    #expect(misuse { _ = try ModuleNames(id: id) }.contains("is no module id"))
  }

  @Test(arguments: [
    "aches", "blood-pressure-readings", "lab-results", "pains", "polyclinic-notes", "symptoms",
    "zinc",
  ])
  func `the source of a new module passes the lint`(id: String) throws {
    let module = NewModule(names: try ModuleNames(id: id))
    let package = ModuleNames.PackageNames(path: "../portal", name: "portal")
    let files =
      module.sources + module.package(package)
      + (try module.edits { path in
        try TextFile.read(FilePath.join(checkout.root, path))
      })
    let swift = Process()
    swift.executableURL = URL(filePath: "/usr/bin/env")
    swift.arguments = [
      "swift", "format", "lint", "--strict", "--configuration", Checkout.file(".swift-format"),
    ]
    for (number, file) in files.enumerated() where file.path.hasSuffix(".swift") {
      let copy = FilePath.join(scratch, "\(number)-\(FilePath.name(of: file.path))")
      try TextFile.create(file.text, at: copy, mode: 0o600)
      swift.arguments?.append(copy)
    }
    let complaints = Pipe()
    swift.standardError = complaints
    try swift.run()
    let told = try complaints.fileHandleForReading.readToEnd() ?? Data()
    swift.waitUntilExit()
    #expect(swift.terminationStatus == 0, "\(String(decoding: told, as: UTF8.self))")
  }

  @Test func `names in use are refused`() {
    #expect(
      misuse { _ = try ModuleNames(id: "contacts", taken: ["contacts"]) }
        == "The id \"contacts\" is in use. Choose another one.")
    for id in ["testing", "tests", "core", "yams", "package-resources"] {
      #expect(misuse { _ = try ModuleNames(id: id) }.contains("would name the target "))
    }
    for record in ["Form", "visit", "Notes"] {
      #expect(misuse { _ = try ModuleNames(id: "notes", record: record) }.contains("record"))
    }
  }

  @Test func `no new module takes an address of the portal`() throws {
    let builder = InstallationBuilder(
      plugins: [], isEnabled: { _ in true }, settings: { _ in Portal.Settings([]) },
      site: ServerContext.Site(
        origin: Portal.Origin(host: "clinic.example", port: 443),
        clinic: Portal.Organization(name: "", languages: [.english], zone: .utc)),
      files: .none, moduleSwitch: FixedSwitch(outcome: .reloading))
    let builtIn = try builder.installation().members.filter(\.isBuiltIn)
    let ids = builtIn.map(\.module.id.rawValue)
    let paths = builtIn.flatMap(\.module.routes).map(\.pattern).filter { $0.hasPrefix("/") }
    let words = paths.compactMap { $0.split(separator: "/").first }
      .filter { !$0.hasPrefix(".") }.compactMap { $0.split(separator: ".").first }
    #expect(Set(ids + words.map(String.init)).subtracting(ModuleCommand.New.taken) == [])
  }

  @Test func `a module is added to the lists that name it`() throws {
    _ = try checkout.add(NewModule(names: ModuleNames(id: "food-allergies")))
    let package = try text("portal/Package.swift")
    #expect(package.contains(#".library(name: "FoodAllergies", targets: ["FoodAllergies"]),"#))
    #expect(package.contains(#"path: "Plugins/FoodAllergies","#))
    #expect(package.contains(#"name: "FoodAllergiesTests","#))
    let list = try text("portal/Sources/polyclinic/Modules.swift")
    #expect(list.contains("import CovidStats\nimport FoodAllergies\nimport HealthMetrics\n"))
    #expect(list.contains("  FoodAllergiesModule(),\n]"))
    #expect(
      try text("portal/Tests/PortalTests/FilledPortal.swift").contains(
        #"    try keep("/food-allergies/new", ["name": "\(secret) entry"])"#))
    let module = NewModule(names: try ModuleNames(id: "food-allergies"))
    #expect(misuse { _ = try checkout.add(module) }.contains("has a target FoodAllergies"))
  }

  @Test func `nothing is written where a list has no place for the module`() throws {
    try TextFile.replace(
      "let modules = 1\n", at: scratch + "/portal/Sources/polyclinic/Modules.swift")
    let before = try text("portal/Package.swift")
    let module = NewModule(names: try ModuleNames(id: "allergies"))
    #expect(misuse { _ = try checkout.add(module) }.contains("Modules.swift has no line \"]\""))
    #expect(try text("portal/Package.swift") == before)
    #expect(!FilePath.exists(scratch + "/portal/Plugins"))
  }

  @Test func `a package depends on the checkout by its directory`() throws {
    let module = NewModule(names: try ModuleNames(id: "allergies"))
    _ = try checkout.makePackage(module, at: scratch + "/riverside")
    let package = try text("riverside/Package.swift")
    #expect(
      package.contains(".package(path: \"../portal\")") && package.contains("package: \"portal\""))
    #expect(try text("riverside/Sources/portal/main.swift").contains("AllergiesModule()"))
    #expect(FilePath.exists(scratch + "/riverside/www/styles/style.css"))
    #expect(
      misuse { _ = try checkout.makePackage(module, at: scratch + "/riverside") }
        .contains("is not an empty directory"))
    #expect(
      misuse { _ = try checkout.makePackage(module, at: scratch + "/portal/mine") }
        .contains("part of a checkout"))
  }

  @Test func `a checkout is found from any directory in it`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch + "/portal/Sources/polyclinic/Deep", withIntermediateDirectories: true)
    let root = try #require(FilePath.real(checkout.root))
    #expect(SourceCheckout(around: scratch + "/portal/Sources/polyclinic/Deep")?.root == root)
    #expect(SourceCheckout(around: scratch) == nil)
  }
}
