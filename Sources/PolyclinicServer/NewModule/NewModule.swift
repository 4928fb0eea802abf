import Foundation
import PolyclinicSystem

/// A new module: files that do not exist yet, and insertions into existing ones.
///
/// The templates are a module that compiles, `Allergies`, whose tests run with all others.
struct NewModule {
  let names: ModuleNames

  /// A file to write, with its path below the checkout or the package.
  struct File: Equatable {
    let path: String
    let text: String
  }

  /// The sources, as they stand in the checkout.
  var sources: [File] {
    [
      ("Plugins/Allergies/AllergiesModule.swift", PackageResources.AllergiesModule_swift),
      ("Plugins/Allergies/Allergy.swift", PackageResources.Allergy_swift),
      ("Plugins/Allergies/Assets/allergies.css", PackageResources.allergies_css),
      ("Plugins/Allergies/Strings/allergies.en.json", PackageResources.allergies_en_json),
      ("Plugins/Allergies/Strings/allergies.he.json", PackageResources.allergies_he_json),
      ("Plugins/Allergies/Strings/allergies.ru.json", PackageResources.allergies_ru_json),
      ("Tests/AllergiesTests/AllergiesTests.swift", PackageResources.AllergiesTests_swift),
    ].map { path, template in
      let text = names.filled(
        String(decoding: template, as: UTF8.self), isCode: path.hasSuffix(".swift"))
      return File(path: names.filled(path), text: SourceEdit.sortingImports(text))
    }
  }

  /// The files of a package of the module's own, which depends on the portal.
  func package(_ package: ModuleNames.PackageNames) -> [File] {
    let text = { (template: [UInt8]) in
      SourceEdit.sortingImports(
        names.filled(String(decoding: template, as: UTF8.self), names: package))
    }
    return [
      File(path: "Package.swift", text: text(PackageResources.Package_swift)),
      File(path: ".gitignore", text: text(PackageResources.gitignore)),
      File(path: "Sources/portal/main.swift", text: text(PackageResources.main_swift)),
    ]
      + sources.map { File(path: $0.path.replacing("Plugins/", with: "Sources/"), text: $0.text) }
  }

  /// Returns the files of a checkout that list its modules, with this one added. `read` returns a
  /// file's text.
  ///
  /// Throws ``Misuse`` if a file lacks the place for an insertion.
  func edits(_ read: (String) throws -> String) throws -> [File] {
    let (target, id) = (names.target, names.id)
    let package = SourceEdit(
      path: "Package.swift",
      insertions: [
        .init(
          "    .library(name: \"\(target)\", targets: [\"\(target)\"]),\n",
          before: "  ],\n  dependencies: [\n"),
        .init(
          "        \"\(target)\",\n",
          behind: "    .executableTarget(\n      name: \"polyclinic\",\n      dependencies: [\n"),
        .init(
          """
              .target(
                name: "\(target)", dependencies: ["PolyclinicCore"],
                path: "Plugins/\(target)",
                resources: [.embedInCode("Assets"), .embedInCode("Strings")],
                swiftSettings: strict),
              .testTarget(
                name: "\(target)Tests",
                dependencies: ["\(target)", "PolyclinicTesting"],
                swiftSettings: strict),

          """, before: "  ]\n)\n"),
      ])
    let list = SourceEdit(
      path: "Sources/polyclinic/Modules.swift",
      insertions: [.init("  \(target)Module(),\n", before: "]\n")], importing: target)
    let portal = SourceEdit(
      path: "Tests/PortalTests/FilledPortal.swift",
      insertions: [
        .init(
          "    try keep(\"/\(id)/new\", [\"name\": \"\\(secret) entry\"])\n",
          before: "    try keepAccount()\n")
      ])
    return try [package, list, portal].map { edit in
      File(path: edit.path, text: try edit.applied(to: read(edit.path)))
    }
  }
}
